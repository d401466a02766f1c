"use strict";
// While a file is being read: look how far it is, and load the page again when that has changed.
const far = (page) => Array.from(page.querySelectorAll("[data-stands]"), (place) => place.textContent).join("\n");
const began = far(document);
let wait = 2000;
async function look() {
  try {
    const answer = await fetch(location.href, { credentials: "same-origin" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const chosen = document.querySelector("input[type=file]");
    const isChosen = chosen !== null && chosen.files.length > 0;
    // A file that somebody has just chosen would be gone from the form.
    if (!isChosen && (!answer.ok || far(page) !== began)) {
      location.reload();
      return;
    }
  } catch {
    // The network is away for a moment; it is asked again.
  }
  wait = Math.min(wait * 1.25, 30000);
  setTimeout(look, wait);
}
if (began) setTimeout(look, wait);

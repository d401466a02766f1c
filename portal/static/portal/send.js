"use strict";
// While a message is on its way: say so, and send it once. Without this file the form works just the same.
for (const form of document.querySelectorAll("form[data-sending]")) {
  const button = form.querySelector("button[type=submit]");
  const status = form.querySelector("[role=status]");
  form.addEventListener("submit", () => {
    button.disabled = true;
    status.textContent = form.dataset.sending;
  });
  // The browser may bring the page back as it was left.
  window.addEventListener("pageshow", () => {
    button.disabled = false;
    status.textContent = "";
  });
}

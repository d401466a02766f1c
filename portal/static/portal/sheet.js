"use strict";
// Show the picture of a page where the quoted lines are. Without this file one scrolls there.
for (const sheet of document.querySelectorAll("[data-mark-at]")) {
  const picture = sheet.querySelector("img");
  const show = () => {
    sheet.scrollTop = (picture.clientHeight * Number(sheet.dataset.markAt)) / 100 - sheet.clientHeight / 3;
  };
  if (picture.complete) show();
  else picture.addEventListener("load", show);
}

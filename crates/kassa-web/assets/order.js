// @ts-check
// Counts the time down for which tickets are held, and looks whether a payment has come. Without it, the page says until
// when they are held, and is loaded again by hand.

/** Seconds before the end when it is said that it comes. */
const SOON_S = 120;
/** How long after the end the server is asked, in milliseconds. */
const END_MS = 1200;
/** Between two looks for a payment, in milliseconds. */
const LOOK_AGAIN_MS = 4000;

const page = document.querySelector("[data-order]");
const news = document.querySelector("[data-hold-news]");

/** @param {number} seconds */
function shown(seconds) {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

const time = document.querySelector("[data-left]");
if (time instanceof HTMLTimeElement) {
  // Clocks of people are wrong: what counts is how long the server said that it is.
  const till = Date.now() + 1000 * Number(time.dataset.left);
  const label = document.querySelector("[data-hold-label]");
  // What is counted down is a duration, and no time of day.
  if (label instanceof HTMLElement) label.textContent = label.dataset.holdLabel ?? "";
  let isSoonSaid = false;
  const tick = () => {
    const seconds = (till - Date.now()) / 1000;
    if (seconds <= 0) {
      if (news instanceof HTMLElement) news.textContent = news.dataset.over ?? "";
      time.textContent = shown(0);
      // The server says what has become of it, once it has ended the hold itself.
      setTimeout(() => location.reload(), END_MS);
      return;
    }
    time.textContent = shown(seconds);
    time.classList.toggle("hold__time--soon", seconds <= SOON_S);
    if (seconds <= SOON_S && !isSoonSaid && news instanceof HTMLElement) {
      news.textContent = news.dataset.soon ?? "";
      isSoonSaid = true;
    }
    setTimeout(tick, 1000 - (Date.now() % 1000));
  };
  tick();
}

if (page?.getAttribute("data-order") === "awaiting") {
  const look = async () => {
    if (!document.hidden) {
      const answer = await fetch(location.pathname, { cache: "no-store" }).catch(() => null);
      const text = answer?.ok ? await answer.text() : "";
      if (text && !text.includes('data-order="awaiting"')) {
        location.reload();
        return;
      }
    }
    setTimeout(look, LOOK_AGAIN_MS);
  };
  setTimeout(look, LOOK_AGAIN_MS);
}

// Two clicks are one order.
for (const form of document.querySelectorAll("form")) {
  form.addEventListener("submit", () => {
    for (const button of form.querySelectorAll("button")) {
      setTimeout(() => (button.disabled = true));
    }
  });
}
// Who comes back by the browser's own button finds forms that work, and an order as it is now.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

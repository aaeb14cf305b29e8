// @ts-check
// Says what is to be paid for the tickets that are chosen at the door. Without it, a button does.

/** How long nothing must change before the server is asked, in milliseconds. */
const CALM_MS = 200;

const form = document.querySelector("[data-till]");
/** @type {AbortController | undefined} */
let asked;
/** @type {number | undefined} */
let planned;

/** Shows what the server says of the form as it is. @param {HTMLFormElement} till */
async function show(till) {
  asked?.abort();
  asked = new AbortController();
  const choice = new URLSearchParams();
  for (const [name, value] of new FormData(till)) if (typeof value === "string") choice.append(name, value);
  choice.append("_do", "show");
  const { signal } = asked;
  // Whoever is slow or offline still has the button.
  const answer = await fetch(location.href, { method: "POST", body: choice, signal }).catch(() => null);
  if (signal.aborted) return;
  const page = new DOMParser().parseFromString(answer?.ok ? await answer.text() : "", "text/html");
  const sum = till.querySelector("[data-sum]");
  if (sum) sum.textContent = page.querySelector("[data-sum]")?.textContent ?? "";
}

if (form instanceof HTMLFormElement) {
  form.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== "number") return;
    clearTimeout(planned);
    planned = window.setTimeout(() => show(form), CALM_MS);
  });
}

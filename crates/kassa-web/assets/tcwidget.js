// Pages that were written for another server of the interface: whatever carries data-tc-event opens the shop of data-tc-token.
(() => {
  const { Kassa } = /** @type {{ Kassa?: { open: (opening: object) => Promise<unknown>, host: string } }} */ (
    /** @type {unknown} */ (window)
  );
  if (!Kassa || "ticketsCloudWidget" in window) return;
  /** The name of the overlay, by which pages find it. */
  const OVERLAY = "tc-widget-overlay";

  /** @param {Element} element */
  function open(element) {
    if (document.getElementById(OVERLAY)) return;
    const said = (/** @type {string} */ name) => element.getAttribute(`data-tc-${name}`) ?? "";
    const query = new URLSearchParams({ token: said("token") });
    // Where a date is to be chosen first, all events of the shop are shown.
    if (said("meta") !== "true") query.set("event", said("event"));
    const lang = said("lang") || document.documentElement.lang || navigator.language;
    query.set("lang", lang.slice(0, 2));
    Kassa?.open({
      element,
      event: said("event"),
      lang,
      id: OVERLAY,
      frameClass: "tc-widget-frame_popup",
      url: `${Kassa.host}/v1/widgets/common?${query}`,
    });
  }

  /** @param {Event} event */
  function pressed(event) {
    const element = event.composedPath().find((it) => it instanceof Element && it.hasAttribute("data-tc-event"));
    if (!(element instanceof Element)) return;
    event.preventDefault();
    open(element);
  }

  // Elements may come at any time: the page itself hears them.
  document.addEventListener("click", pressed, true);
  Object.assign(window, { ticketsCloudWidget: { init() {} }, tcBuyTicketClickCallbackBinded: pressed });
})();

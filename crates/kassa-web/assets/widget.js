// @ts-check
// Sells in pages of other sites: <kassa-shop event seller token lang> shows what is sold, <kassa-button> opens it, and
// Kassa.open does so for programs. What is bought is in a frame of this server, over the page. Nothing here needs a cookie, a
// style in the page or a script of another server.
(() => {
  /** @type {Record<string, Record<string, string>>} */
  const TEXTS = {};
  /** How long a frame may be silent after it has loaded, in milliseconds. */
  const SILENCE_MAX_MS = 4000;

  /**
   * @typedef {{ event?: string | null, seller?: string | null, token?: string | null, lang?: string | null }} Wish
   * @typedef {Wish & { element?: Element | null, url?: string, id?: string, frameClass?: string }} Opening
   * @typedef {{ order: string | null, state: string | null }} Outcome
   * @typedef {{ id: string, title: string, when: { text: string, machine: string } | null, place: string,
   *   price: string | null, note: string | null, state: string }} Offer
   */

  const script = document.currentScript ?? document.querySelector('script[src*="/widget/v1.js"]');
  if (!(script instanceof HTMLScriptElement) || customElements.get("kassa-shop")) return;
  const HOST = new URL(script.src, location.href).origin;

  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    :host { display: block; font: inherit; }
    :host([hidden]) { display: none; }
    :host(kassa-button) { display: inline-block; }
    .kassa-offers { list-style: none; margin: 0; padding: 0; display: grid; gap: 1px; }
    .kassa-offer { display: flex; flex-wrap: wrap; gap: 0.5em 1.5em; align-items: center; justify-content: space-between;
      padding: 1em 0; border-block-start: 1px solid color-mix(in srgb, currentColor 18%, transparent); }
    .kassa-offer:first-child { border-block-start: 0; }
    .kassa-title { margin: 0; font-size: 1.125em; font-weight: 650; line-height: 1.3; }
    .kassa-line { margin: 0.15em 0 0; line-height: 1.4; opacity: 0.8; }
    .kassa-side { display: flex; gap: 1em; align-items: center; }
    .kassa-price { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
    .kassa-buy { font: inherit; font-weight: 600; line-height: 1.2; min-block-size: 2.75rem; padding: 0.5em 1.25em;
      color: var(--kassa-on-accent, #fff); background: var(--kassa-accent, #16605c); border: 0; border-radius: 0.6em;
      cursor: pointer; }
    .kassa-way { display: inline-block; text-decoration: none; }
    .kassa-buy:hover { filter: brightness(1.1); }
    .kassa-buy:focus-visible, .kassa-close:focus-visible, .kassa-refused a:focus-visible {
      outline: 3px solid currentColor; outline-offset: 2px; }
    .kassa-overlay { position: fixed; inset: 0; box-sizing: border-box; inline-size: 100%; block-size: 100%;
      max-inline-size: none; max-block-size: none; margin: 0; padding: 0; border: 0; background: rgb(10 12 18 / 62%); }
    .kassa-overlay[open] { display: grid; place-items: center; }
    .kassa-overlay::backdrop { background: transparent; }
    .kassa-box { display: grid; grid-template-rows: auto 1fr; inline-size: 100%; block-size: 100%; overflow: hidden;
      color: CanvasText; background: Canvas; color-scheme: light dark; font: 1rem/1.4 system-ui, sans-serif; }
    .kassa-bar { display: flex; align-items: center; justify-content: space-between; padding-inline-start: 1rem;
      border-block-end: 1px solid color-mix(in srgb, CanvasText 15%, transparent); }
    .kassa-name { margin: 0; font-size: 1rem; font-weight: 650; }
    .kassa-close { font: 1.5rem/1 system-ui, sans-serif; inline-size: 3rem; block-size: 3rem; border: 0; color: inherit;
      background: none; cursor: pointer; }
    .kassa-body { position: relative; }
    .kassa-frame { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; border: 0; background: Canvas; }
    .kassa-wait, .kassa-refused { margin: 0; padding: 2rem 1rem; text-align: center; }
    .kassa-refused { position: absolute; inset: 0; background: Canvas; }
    @media (min-width: 48rem) and (min-height: 36rem) {
      .kassa-box { inline-size: min(62rem, 94%); block-size: min(54rem, 92%); border-radius: 0.9rem; }
    }
  `);

  /**
   * @param {string | null | undefined} wanted
   * @param {Element | null} [element]
   */
  function languageOf(wanted, element) {
    const around = element?.closest("[lang]")?.getAttribute("lang");
    const code = (wanted || around || document.documentElement.lang || navigator.language).slice(0, 2).toLowerCase();
    return code in TEXTS ? code : "en";
  }

  /**
   * @param {Wish} wish
   * @param {string} language
   */
  function folderOf(wish, language) {
    return `${HOST}/widget/${encodeURIComponent(wish.token || wish.seller || "-")}/${language}`;
  }

  /**
   * @template {keyof HTMLElementTagNameMap} K
   * @param {K} name
   * @param {string} className
   * @param {(Node | string)[]} children
   */
  function make(name, className, ...children) {
    const element = document.createElement(name);
    element.className = className;
    element.append(...children);
    return element;
  }

  /** @type {Set<{ frame: HTMLIFrameElement, hear: (message: any) => void }>} */
  const overlays = new Set();

  addEventListener("message", (message) => {
    if (message.origin !== HOST) return;
    for (const overlay of overlays) {
      if (message.source === overlay.frame.contentWindow) overlay.hear(message.data);
    }
  });

  /**
   * Opens the shop over the page; settles when it is closed.
   * @param {Opening} opening
   * @returns {Promise<Outcome>} the order's id and its state, as far as it got
   */
  function open(opening) {
    const { element = null, id } = opening;
    const language = languageOf(opening.lang, element);
    const texts = TEXTS[language];
    const url = opening.url ?? `${folderOf(opening, language)}/${opening.event ? `e/${encodeURIComponent(opening.event)}` : ""}`;
    const before = document.activeElement;

    const frame = make("iframe", `kassa-frame ${opening.frameClass ?? ""}`.trim());
    frame.title = texts.title;
    frame.allow = "payment; clipboard-write";
    const close = make("button", "kassa-close", "×");
    close.type = "button";
    close.setAttribute("aria-label", texts.close);
    const wait = make("p", "kassa-wait", texts.loading);
    const body = make("div", "kassa-body", wait, frame);
    const bar = make("div", "kassa-bar", make("p", "kassa-name", texts.title), close);
    const dialog = make("dialog", "kassa-overlay", make("div", "kassa-box", bar, body));
    dialog.lang = language;
    dialog.setAttribute("aria-label", texts.title);

    // Pages that were written for the original look for its overlay by its name.
    const holder = id ? dialog : document.createElement("div");
    if (id) {
      dialog.id = id;
      if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet);
    } else {
      const root = holder.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [sheet];
      root.append(dialog);
    }

    /** @type {Outcome} */
    const outcome = { order: null, state: null };
    /** @type {Set<string>} */
    const told = new Set();
    /** @param {string} name */
    const tell = (name) => {
      if (told.has(`${name} ${outcome.order}`)) return;
      told.add(`${name} ${outcome.order}`);
      const detail = { ...outcome, event: opening.event ?? null };
      (element?.isConnected ? element : document).dispatchEvent(
        new CustomEvent(`kassa:${name}`, { detail, bubbles: true, composed: true }),
      );
    };

    let isHeard = false;
    let timer = 0;
    const refuse = () => {
      if (isHeard) return;
      const link = make("a", "kassa-buy kassa-way", texts.window);
      link.href = url;
      link.target = "_blank";
      link.rel = "noopener";
      body.append(make("div", "kassa-refused", make("p", "", texts.refused), link));
      console.warn(`Kassa: the shop does not open in a frame of ${location.origin}. Its seller names this site in shop.origins.`);
    };
    frame.addEventListener("load", () => {
      wait.remove();
      frame.contentWindow?.postMessage({ kassa: "hello" }, HOST);
      clearTimeout(timer);
      if (!isHeard) timer = setTimeout(refuse, SILENCE_MAX_MS);
    });

    const overlay = {
      frame,
      /** @param {any} message */
      hear(message) {
        if (message?.kassa === "close") dialog.close();
        if (message?.kassa !== "state") return;
        body.querySelector(".kassa-refused")?.remove();
        isHeard = true;
        if (message.state === "refused") return;
        if (told.size === 0) tell("ready");
        if (message.order) {
          outcome.order = message.order;
          outcome.state = message.state;
        }
        if (["cart", "unpaid", "awaiting"].includes(message.state)) tell("reserved");
        if (message.state === "paid") tell("paid");
      },
    };

    return new Promise((settle) => {
      close.addEventListener("click", () => dialog.close());
      dialog.addEventListener("close", () => {
        clearTimeout(timer);
        overlays.delete(overlay);
        holder.remove();
        if (before instanceof HTMLElement && before.isConnected) before.focus();
        tell("closed");
        settle({ ...outcome });
      });
      overlays.add(overlay);
      // Before it is in the page: an empty frame would tell that it has loaded, too.
      frame.src = url;
      document.body.append(holder);
      dialog.showModal();
      frame.focus();
    });
  }

  class KassaElement extends HTMLElement {
    static observedAttributes = ["event", "seller", "token", "lang"];

    constructor() {
      super();
      /** @type {ShadowRoot} */
      this.root = this.attachShadow({ mode: "open", delegatesFocus: true });
      this.root.adoptedStyleSheets = [sheet];
      this.isDue = false;
      /** How often it was asked what is sold: the last answer counts. */
      this.number = 0;
    }

    connectedCallback() {
      this.plan();
    }

    attributeChangedCallback() {
      this.plan();
    }

    /** Frameworks set attributes one after the other, some when the element is in the page already. */
    plan() {
      if (this.isDue || !this.isConnected) return;
      this.isDue = true;
      queueMicrotask(() => {
        this.isDue = false;
        if (this.isConnected) this.show();
      });
    }

    /** @returns {Wish} */
    wish() {
      const said = (/** @type {string} */ name) => this.getAttribute(name);
      return { event: said("event"), seller: said("seller"), token: said("token"), lang: said("lang") };
    }

    language() {
      return languageOf(this.getAttribute("lang"), this);
    }

    /**
     * @param {string | null} event
     * @param {(Node | string)[]} label
     */
    button(event, ...label) {
      const button = make("button", "kassa-buy", ...label);
      button.type = "button";
      button.part.add("button");
      button.addEventListener("click", () => this.open({ event }));
      return button;
    }

    /**
     * Opens the shop, as if it was pressed.
     * @param {Wish} [more]
     */
    open(more) {
      return open({ ...this.wish(), ...more, element: this });
    }

    show() {}
  }

  class KassaButton extends KassaElement {
    show() {
      const slot = make("slot", "", TEXTS[this.language()].open);
      this.root.replaceChildren(this.button(this.wish().event ?? null, slot));
    }
  }

  class KassaShop extends KassaElement {
    async show() {
      const { event, ...wish } = this.wish();
      const language = this.language();
      const query = event ? `?event=${encodeURIComponent(event)}` : "";
      // What can be pressed is there before what is known of it.
      if (!this.root.hasChildNodes()) this.root.append(this.button(event ?? null, TEXTS[language].open));
      const number = ++this.number;
      const asked = fetch(`${folderOf(wish, language)}/offers.json${query}`, { credentials: "omit" });
      /** @type {{ events: Offer[] } | null} */
      const offers = await asked.then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
      if (!this.isConnected || number !== this.number || !offers?.events.length) return;
      const list = make("ul", "kassa-offers", ...offers.events.map((offer) => this.offer(offer, language)));
      list.lang = language;
      this.root.replaceChildren(list);
    }

    /**
     * @param {Offer} offer
     * @param {string} language
     */
    offer(offer, language) {
      const about = make("div", "", make("h3", "kassa-title", offer.title));
      if (offer.when) {
        const time = make("time", "", offer.when.text);
        time.dateTime = offer.when.machine;
        about.append(make("p", "kassa-line", time));
      }
      if (offer.place) about.append(make("p", "kassa-line", offer.place));
      const side = make("div", "kassa-side");
      if (offer.price) side.append(make("p", "kassa-price", offer.price));
      if (offer.note) side.append(make("p", "kassa-line", offer.note));
      if (offer.state === "on-sale" || offer.state === "not-yet") {
        const button = this.button(offer.id, TEXTS[language].open);
        button.setAttribute("aria-label", `${TEXTS[language].open}: ${offer.title}`);
        side.append(button);
      }
      return make("li", "kassa-offer", about, side);
    }
  }

  // What programs use is there before the elements come to life.
  Object.assign(window, { Kassa: Object.freeze({ open, host: HOST }) });
  customElements.define("kassa-button", KassaButton);
  customElements.define("kassa-shop", KassaShop);
})();

const page = document.getElementById("page");
const version = new URLSearchParams(window.location.search).get("version");

SwaggerUIBundle({
  domNode: page,
  url: version === "2" ? page.dataset.documentV2 : page.dataset.document,
  deepLinking: true,
  docExpansion: "list",
  filter: true,
  // A key lasts as long as the tab, and no longer.
  persistAuthorization: false,
  // Nothing is sent to anybody else.
  validatorUrl: null,
});

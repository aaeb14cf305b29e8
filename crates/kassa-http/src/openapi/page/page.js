const page = document.getElementById("page");

SwaggerUIBundle({
  domNode: page,
  url: page.dataset.document,
  deepLinking: true,
  docExpansion: "list",
  filter: true,
  // A key lasts as long as the tab, and no longer.
  persistAuthorization: false,
  // Nothing is sent to anybody else.
  validatorUrl: null,
});

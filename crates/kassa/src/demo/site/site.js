// Shows what the elements of the shop tell the page around them.
const told = document.querySelector("[data-told]");
for (const name of ["ready", "reserved", "paid", "closed"]) {
  document.addEventListener(`kassa:${name}`, ({ detail }) => {
    if (name === "ready") told.replaceChildren();
    const line = document.createElement("li");
    line.textContent = `kassa:${name}${detail.order ? `, order ${detail.order}` : ""}`;
    told.append(line);
  });
}

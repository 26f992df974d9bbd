// What a printed page shows, where the browser is set to the medium print: the controls among it, the first cells of
// tables that are missing in it, and what is wider than the page.
(() => {
  const words = (text) => text.replace(/\s+/g, " ").trim();
  const shown = words(document.body.innerText);
  const visible = (one) => one.getClientRects().length > 0;
  const controls = [...document.querySelectorAll("input, select, textarea, summary")].filter(visible).map((one) => one.outerHTML);
  for (const button of document.querySelectorAll("button")) {
    const style = getComputedStyle(button);
    const arrow = getComputedStyle(button, "::after").content;
    const isPlain = style.borderTopWidth === "0px" && style.backgroundColor === "rgba(0, 0, 0, 0)";
    if (!isPlain || !["none", "normal"].includes(arrow)) controls.push(`${button.textContent} ${arrow}`);
  }
  // The tables behind pictures stay folded: the pictures are printed.
  const tables = [...document.querySelectorAll("table")].filter((table) => !table.closest("details"));
  const cells = tables.flatMap((table) => [...table.rows].map((row) => row.cells[0]));
  const missing = cells.map((cell) => words(cell.innerText)).filter((text) => !shown.includes(text));
  const room = document.documentElement.clientWidth;
  const wide = [...document.querySelectorAll("body *")]
    .filter((one) => visible(one) && one.getBoundingClientRect().right > room + 1)
    .map((one) => `${one.tagName} ${one.className?.baseVal ?? one.className}: ${one.getBoundingClientRect().right}`);
  return { shown, controls, missing, wide, tables: tables.length, cells: cells.length };
})();

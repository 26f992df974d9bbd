// What the page does by itself: tables are sorted by their titles, and long lists are filtered. Without it, all is shown.
"use strict";
{
  // A number, a text, or the place of a row that has neither: days and times stand in order.
  const value = (row, column, place) => {
    const cell = row.cells[column];
    const data = cell.querySelector("data");
    if (data) return Number(data.value);
    if (cell.querySelector("time")) return place;
    return cell.textContent.trim().toLowerCase();
  };
  const compare = ([one], [other]) =>
    typeof one === typeof other
      ? one < other ? -1 : Number(one > other)
      : typeof one === "number" ? 1 : -1;
  for (const table of document.querySelectorAll("table")) {
    const [body] = table.tBodies;
    const rows = [...body.rows];
    if (rows.length < 2) continue;
    const titles = [...table.tHead.rows[0].cells];
    titles.forEach((title, column) => {
      const button = document.createElement("button");
      button.append(...title.childNodes);
      title.append(button);
      button.addEventListener("click", () => {
        const down = title.getAttribute("aria-sort") !== "descending";
        titles.forEach((other) => other.removeAttribute("aria-sort"));
        title.setAttribute("aria-sort", down ? "descending" : "ascending");
        const sorted = rows.map((row, place) => [value(row, column, place), row]).sort(compare);
        if (down) sorted.reverse();
        body.append(...sorted.map(([, row]) => row));
      });
    });
  }
  // A list is what its `data-list` says, and is filtered by the words that are typed above it.
  for (const list of document.querySelectorAll("[data-list]")) {
    const items = [...list.querySelectorAll("tbody tr, article")];
    if (items.length < 6) continue;
    const input = document.createElement("input");
    input.type = "search";
    input.placeholder = `Filter ${list.dataset.list}`;
    input.setAttribute("aria-label", input.placeholder);
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/);
      for (const item of items) {
        const text = item.textContent.toLowerCase();
        item.hidden = !words.every((word) => text.includes(word));
      }
    });
    list.before(input);
  }
}

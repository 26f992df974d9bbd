// Every number that the page shows: its value, its text, and its place in `report --json`; of the pictures'
// shapes the value and the title. `stray` are digits elsewhere: axes, dates, texts from outside and commands
// aside.
(() => {
  const shown = [...document.querySelectorAll("data")].map((element) => ({
    json: element.dataset.json, value: Number(element.value), text: element.textContent,
  }));
  const shapes = [...document.querySelectorAll("svg [data-json]")].map((element) => ({
    json: element.dataset.json, value: Number(element.dataset.value),
    text: element.querySelector("title").textContent,
    height: Number(element.getAttribute("height")), kind: element.closest("svg").getAttribute("aria-label"),
  }));
  const stray = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (/\d/.test(node.data) && !node.parentElement.closest("data, time, bdi, .axis, svg title, script")) {
      stray.push(node.data);
    }
  }
  return { shown, shapes, stray };
})()

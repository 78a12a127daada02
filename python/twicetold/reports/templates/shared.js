  /* What every page needs. Texts are only ever read and written as text. */
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const data = read("data");
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  document.documentElement.classList.add("scripted");
  const COLOURS = [210, 35, 140, 325, 180, 60, 265, 5];
  /* An element with a class and what is in it; strings become text, whatever they hold. */
  function make(tag, name, ...inside) {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.append(...inside.filter((each) => each !== null));
    return element;
  }

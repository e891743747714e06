"use strict";
// Moves the mark through the steps and shows what belongs to it. Position 0 is before the first step.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const steps = data.steps;
  const items = [...document.querySelectorAll("li.step")];
  const drawn = new Map([...document.querySelectorAll("#picture .step")].map((g) => [Number(g.dataset.step), g]));
  const filters = [...document.querySelectorAll(".filter")];
  const names = filters.map((box) => box.parentElement.textContent.trim());
  const texts = new Map([...document.querySelectorAll("pre.source")].map((pre) => [Number(pre.dataset.file), pre.textContent]));
  const output = document.getElementById("position");
  let position = 0;

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };

  const into = (scroller, part) => {
    const outer = scroller.getBoundingClientRect();
    const inner = part.getBoundingClientRect();
    if (inner.top < outer.top + 20 || inner.bottom > outer.bottom - 20) {
      scroller.scrollTop += inner.top - outer.top - outer.height / 3;
    }
    if (inner.left < outer.left || inner.right > outer.right) {
      scroller.scrollLeft += inner.left - outer.left - outer.width / 3;
    }
  };

  // The variables after so many steps, in the order they appeared.
  const valuesAt = (at) => {
    const values = new Map(data.initial);
    for (const step of steps.slice(0, at)) {
      for (const [name, value] of step.set) {
        if (value === null) values.delete(name);
        else values.set(name, value);
      }
    }
    return values;
  };

  const ownerOf = (name) => {
    const local = /^(.*\(\d+\)):/.exec(name);
    return local ? local[1] : "";
  };

  const showValues = () => {
    const before = position > 0 ? valuesAt(position - 1) : new Map();
    const values = valuesAt(position);
    const changed = new Set(position > 0 ? steps[position - 1].set.map(([name]) => name) : []);
    const body = document.getElementById("variables");
    body.replaceChildren();
    const owners = [...new Set([...values.keys()].map(ownerOf))].sort((a, b) => (a === "") === (b === "") ? 0 : a === "" ? -1 : 1);
    for (const owner of owners) {
      if (owner !== "") {
        const head = element("tr", undefined, "owner");
        const cell = element("th", owner);
        cell.colSpan = 3;
        cell.scope = "rowgroup";
        head.append(cell);
        body.append(head);
      }
      for (const [name, value] of values) {
        if (ownerOf(name) !== owner) continue;
        const row = element("tr", undefined, changed.has(name) ? "changed" : "");
        row.dataset.name = name;
        const old = changed.has(name) && before.has(name) ? before.get(name) : "";
        row.append(element("td", owner === "" ? name : name.slice(owner.length + 1)), element("td", value), element("td", old, "before"));
        body.append(row);
      }
    }
    const first = body.querySelector(".changed");
    if (first) into(document.getElementById("values"), first);
  };

  const showSource = () => {
    for (const pre of document.querySelectorAll("pre.source")) {
      const file = Number(pre.dataset.file);
      const text = texts.get(file);
      const all = position > 0 ? steps[position - 1].spans : [];
      const spans = all.filter((span) => span[0] === file).sort((a, b) => a[1] - b[1]);
      pre.replaceChildren();
      let at = 0;
      // The mover's statement comes into view.
      let mark = null;
      for (const span of spans) {
        const [, start, end] = span;
        if (start < at) continue;
        const made = element("mark", text.slice(start, end));
        pre.append(text.slice(at, start), made);
        if (mark === null || span === all[0]) mark = made;
        at = end;
      }
      pre.append(text.slice(at));
      if (mark !== null) {
        const listing = pre.parentElement;
        const offset = mark.getBoundingClientRect().top - listing.getBoundingClientRect().top;
        if (offset < 0 || offset > listing.clientHeight - 30) listing.scrollTop += offset - listing.clientHeight / 3;
      }
    }
  };

  const linkTo = (step) => {
    const link = element("a", `step ${step + 1}`);
    link.href = `#step-${step + 1}`;
    return link;
  };

  const showReasons = () => {
    const place = document.getElementById("reasons");
    place.replaceChildren();
    for (const item of items) item.classList.remove("cause");
    if (position === 0) {
      place.append(element("p", "Nothing has happened yet."));
      return;
    }
    const step = steps[position - 1];
    const item = items[position - 1];
    const what = element("p");
    what.append(element("strong", names[step.life]), " ", element("code", item.querySelector("code").textContent));
    place.append(what);
    for (const [channel, text, , received, later] of step.sends) {
      const line = element("p", `sends ${text} on ${channel}, `);
      if (received === null && later !== null) line.append("received in ", linkTo(later), " of a later round");
      else if (received === null) line.append("which nobody receives");
      else if (received === position - 1) line.append("received at once");
      else line.append("received in ", linkTo(received));
      place.append(line);
    }
    for (const [channel, text, sent] of step.receives) {
      if (sent === position - 1) continue;
      const line = element("p", `receives ${text} on ${channel}, sent in `);
      line.append(linkTo(sent));
      place.append(line);
    }
    if (step.causes.length === 0) {
      place.append(element("p", "It rests on no other step."));
      return;
    }
    place.append(element("p", "It rests on"));
    const list = element("ul", undefined, "causes");
    const links = new Map();
    for (const [cause, why, before] of step.causes) {
      const key = `${cause} ${before}`;
      if (!links.has(key)) {
        const line = element("li");
        line.append(linkTo(cause), before ? " of the round before: " : ": ", element("span", why));
        line.dataset.step = cause;
        list.append(line);
        links.set(key, line);
        items[cause].classList.add("cause");
      } else {
        links.get(key).lastChild.textContent += `, ${why}`;
      }
    }
    place.append(list);
  };

  const goTo = (wanted) => {
    position = Math.max(0, Math.min(steps.length, wanted));
    items.forEach((item, i) => {
      if (i === position - 1) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    for (const [i, group] of drawn) group.classList.toggle("current", i === position - 1);
    const cycle = data.cycle > 0 && position > data.prefix ? ", repeats for ever" : "";
    output.textContent = position === 0 ? `start, ${steps.length} steps` : `step ${position} of ${steps.length}, ${names[steps[position - 1].life]}${cycle}`;
    document.body.dataset.position = position;
    showValues();
    showSource();
    showReasons();
    const hash = position === 0 ? "#start" : `#step-${position}`;
    if (location.hash !== hash) history.replaceState(null, "", hash);
    if (position > 0) {
      into(document.getElementById("steps"), items[position - 1]);
      if (drawn.has(position - 1)) into(document.getElementById("picture"), drawn.get(position - 1).querySelector(".dot"));
    }
  };

  const isShown = (at) => at === 0 || at > steps.length || !items[at - 1].classList.contains("hidden");
  const move = (by, wanted = () => true) => {
    for (let at = position + by; at >= 0 && at <= steps.length; at += by) {
      if (isShown(at) && wanted(at)) return goTo(at);
    }
  };
  const sameProcess = (at) => {
    if (position === 0 || at === 0) return at > 0;
    const own = steps[position - 1].life;
    return steps[at - 1].life === own || steps[at - 1].partner === own;
  };

  const actions = {
    ArrowDown: () => move(1),
    ArrowRight: () => move(1),
    j: () => move(1),
    ArrowUp: () => move(-1),
    ArrowLeft: () => move(-1),
    k: () => move(-1),
    Home: () => goTo(0),
    End: () => goTo(steps.length),
    n: () => move(1, sameProcess),
    p: () => move(-1, sameProcess),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const action = actions[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  });
  document.getElementById("first").addEventListener("click", actions.Home);
  document.getElementById("previous").addEventListener("click", actions.k);
  document.getElementById("next").addEventListener("click", actions.j);
  document.getElementById("last").addEventListener("click", actions.End);
  items.forEach((item, i) => item.querySelector("button").addEventListener("click", () => goTo(i + 1)));
  for (const [i, group] of drawn) group.addEventListener("click", () => goTo(i + 1));

  const filter = () => {
    const shown = new Set(filters.filter((box) => box.checked).map((box) => box.value));
    for (const item of items) {
      item.classList.toggle("hidden", !item.dataset.lives.split(" ").some((life) => shown.has(life)));
    }
    for (const run of document.querySelectorAll(".run")) {
      run.classList.toggle("hidden", !run.querySelector(".step:not(.hidden)"));
    }
  };
  filters.forEach((box) => box.addEventListener("change", filter));

  const fromAddress = () => {
    const step = /^#step-(\d+)$/.exec(location.hash);
    goTo(step ? Number(step[1]) : 0);
  };
  window.addEventListener("hashchange", fromAddress);
  fromAddress();
})();

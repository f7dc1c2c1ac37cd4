// Keeps a table when the connection does not: what is pressed is numbered, kept here, and sent in its order.
(() => {
  "use strict";
  const place = new URLSearchParams(location.search).toString();
  const store = `keep ${place}`;
  const read = () => { try { return JSON.parse(localStorage.getItem(store)) || []; } catch { return []; } };
  const write = (queue) => { try { localStorage.setItem(store, JSON.stringify(queue)); } catch { /* private window */ } };
  let queue = read();
  let sending = false;
  let shown = true; // the page shows all that was recorded from here
  let asked = 0; // so many pages: of several on their way the one asked for last counts
  let drawn = ""; // the page as it was drawn last
  let finger = false; // something is held down: a button that is drawn anew under the finger is not pressed
  let late = false; // meanwhile another page came
  const pressed = new Set(); // lines of buttons of the page as it is drawn: a finger that hits one twice means it once

  const say = (words, bad) => {
    const told = document.getElementById("waiting");
    if (!told) return;
    told.textContent = words;
    told.hidden = !words;
    told.classList.toggle("refused", Boolean(bad));
  };

  const lineOf = (data, button) => {
    const typed = (name) => {
      const text = (data.get(name) || "").trim();
      return name === "who" ? `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"` : text;
    };
    const line = (button && button.name === "line" ? button.value : "")
      .replace(/\[([^\]{]*)\{(\w+)\}\]/g, (_, words, name) => ((data.get(name) || "").trim() ? words + typed(name) : ""))
      .replace(/\{(\w+)\}/g, (_, name) => typed(name));
    return line || data.get("written") || "";
  };

  // What is typed while a line before it is on its way is not lost when the page is drawn anew.
  const typing = () => ["form.ask input[name=written]", "#wager", "#board"].flatMap((selector) => {
    const field = document.querySelector(selector);
    return field && (field.value || field === document.activeElement) ? [[selector, field.value, field === document.activeElement]] : [];
  });

  const redraw = async () => {
    const mine = ++asked;
    const answer = await fetch(location.href, { headers: { accept: "text/html" }, signal: AbortSignal.timeout(10000) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = page.getElementById("main");
    if (finger && !sending) {
      late = true;
    } else if (answer.ok && now && mine === asked) {
      pressed.clear();
      if (drawn === now.outerHTML) return true;
      drawn = now.outerHTML;
      const kept = typing();
      document.getElementById("main").replaceWith(document.importNode(now, true));
      kept.forEach(([selector, value, focused]) => {
        const field = document.querySelector(selector);
        if (!field) return;
        field.value = value;
        if (focused) field.focus();
      });
      if (window.htmx) window.htmx.process(document.getElementById("main"));
    }
    return answer.ok;
  };

  const send = async () => {
    if (sending || (!queue.length && shown)) return;
    sending = true;
    shown = false;
    asked += 1; // a page that is on its way was drawn before this
    try {
      while (queue.length || !shown) {
        document.getElementById("main").setAttribute("aria-busy", "true");
        while (queue.length) {
          const answer = await fetch("/keep.json", {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ ...queue[0], typed: undefined }),
            signal: AbortSignal.timeout(10000),
          });
          if (answer.status === 503 || answer.status === 429) throw new Error("busy");
          if (!answer.ok) {
            const problem = await answer.json().catch(() => ({ title: "no answer that can be read" }));
            const lost = queue.map((one) => one.line).join(", ");
            const [first] = queue;
            queue = [];
            write(queue);
            shown = await redraw().catch(() => false);
            say(`Not recorded: ${lost}. ${[problem.message || problem.title, problem.hint].filter(Boolean).join(". ")}`, true);
            const field = document.querySelector("form.ask input[name=written]");
            if (first.typed && field && !field.value) field.value = first.line; // to be put right
            return;
          }
          queue.shift();
          write(queue);
        }
        shown = await redraw();
        if (!shown) throw new Error("not shown");
      }
      say("");
    } catch {
      const waiting = queue.map((one) => one.line || "Enter").join(", ");
      say(queue.length
        ? `No connection: ${queue.length} waiting (${waiting}). They are kept here and sent in their order.`
        : "No connection: what was recorded last is not shown yet.");
    } finally {
      sending = false;
      document.getElementById("main").removeAttribute("aria-busy");
    }
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.getAttribute("action") !== "/keep" || form.elements.game) return;
    event.preventDefault();
    const data = new FormData(form);
    const line = lineOf(data, event.submitter);
    if (event.submitter && event.submitter.name === "line" && pressed.size === pressed.add(line).size) {
      say(`${line}: on its way already. Until the page shows it, write what comes next as a line.`);
      return;
    }
    const told = { line: line.trim() || ".", once: crypto.randomUUID(), typed: event.submitter?.name !== "line" };
    for (const name of ["token", "venue", "tournament", "name"]) told[name] = data.get(name) || "";
    if (!queue.length && shown) told.behind = data.get("behind") || "";
    queue.push(told);
    write(queue);
    form.querySelectorAll("input:not([type=hidden])").forEach((one) => { one.value = ""; });
    send();
  });

  // Cards by two taps: a rank, then a suit.
  document.addEventListener("focusin", (event) => {
    const field = event.target;
    if (!(field instanceof HTMLInputElement) || !field.dataset.pad || field.nextElementSibling?.classList.contains("pad")) return;
    const pad = document.createElement("span");
    pad.className = "pad";
    for (const [shown, told] of [..."AKQJT98765432"].map((one) => [one, one]).concat([["♠", "s"], ["♥", "h"], ["♦", "d"], ["♣", "c"], ["?", "??"], ["⌫", ""]])) {
      const key = document.createElement("button");
      key.type = "button";
      key.textContent = shown;
      key.className = { s: "s", h: "h", d: "d", c: "c" }[told] || "";
      key.setAttribute("aria-label", told ? `card: ${shown}` : "delete");
      key.addEventListener("click", () => { field.value = told ? field.value + told : field.value.slice(0, -1); });
      pad.append(key);
    }
    field.after(pad);
  });

  // Another device went on: shown at once, unless something is being typed or pressed here.
  const grown = () => {
    const typing = [...document.querySelectorAll(".keep input:not([type=hidden])")]
      .some((one) => one.value !== one.defaultValue || one === document.activeElement);
    if (!typing && !queue.length && !sending && !document.querySelector(".keep details[open]")) redraw().catch(() => {});
  };
  document.body.addEventListener("log-grown", grown);
  document.addEventListener("pointerdown", () => { finger = true; });
  for (const over of ["pointerup", "pointercancel"]) {
    document.addEventListener(over, () => {
      finger = false;
      if (late) grown();
      late = false;
    });
  }

  window.addEventListener("online", send);
  setInterval(send, 2000);
  if (queue.length) send();
})();

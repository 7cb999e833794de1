'use strict';
(() => {
  const index = JSON.parse(document.getElementById('index').textContent);
  const find = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];
  // What a server said becomes text and never HTML.
  const make = (tag, attributes, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  };
  const code = (text) => make('code', null, text);

  const items = all('#list li').map((item, position) => {
    const link = item.firstElementChild;
    const id = decodeURIComponent(link.hash.slice('#case-'.length));
    const text = id.toLowerCase() + ' ' + index.words[position];
    return { item, link, id, text, position, checks: item.dataset.checks.split(' ') };
  });
  const byId = new Map(items.map((entry) => [entry.id, entry]));

  // The details of the cases are compressed, in packs. A pack is read when one of its cases opens.
  const packs = all('script.pack');
  const unpacked = new Map();
  const unpack = async (number) => {
    const bytes = Uint8Array.from(atob(packs[number].textContent), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return JSON.parse(await new Response(stream).text());
  };
  const load = async (position) => {
    const number = Math.floor(position / index.pack);
    if (!unpacked.has(number)) unpacked.set(number, unpack(number));
    return (await unpacked.get(number))[position % index.pack];
  };
  const chips = all('.chip');
  const filters = { text: find('#text'), area: find('#area'), check: find('#check') };

  const filter = () => {
    const words = filters.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const verdicts = chips.filter((chip) => chip.ariaPressed === 'true').map((chip) => chip.dataset.verdict);
    let shown = 0;
    for (const { item, text, checks } of items) {
      const fits = words.every((word) => text.includes(word))
        && (!verdicts.length || verdicts.includes(item.dataset.verdict))
        && (!filters.area.value || item.dataset.area === filters.area.value)
        && (!filters.check.value || checks.includes(filters.check.value));
      item.hidden = !fits;
      if (fits) shown += 1;
    }
    find('#shown').textContent = shown + ' of ' + items.length;
  };
  const clear = () => {
    for (const field of Object.values(filters)) field.value = '';
    for (const chip of chips) chip.ariaPressed = 'false';
    filter();
  };
  for (const field of Object.values(filters)) {
    for (const change of ['input', 'change']) field.addEventListener(change, filter);
  }
  for (const chip of chips) {
    chip.addEventListener('click', () => {
      chip.ariaPressed = String(chip.ariaPressed !== 'true');
      filter();
    });
  }
  find('#clear').addEventListener('click', clear);
  for (const tile of all('[data-only]')) {
    tile.addEventListener('click', () => {
      clear();
      for (const chip of chips) chip.ariaPressed = String(chip.dataset.verdict === tile.dataset.only);
      filter();
    });
  }
  for (const link of all('[data-check]')) {
    link.addEventListener('click', () => {
      clear();
      filters.check.value = link.dataset.check;
      filter();
    });
  }

  const copied = (text) => {
    const button = make('button', { type: 'button', class: 'copy' }, 'copy');
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(text).then(() => { button.textContent = 'copied'; }, () => {});
    });
    return button;
  };

  const difference = (own) => make('div', { class: 'difference ' + own.level },
    make('header', null, make('span', { class: 'level ' + own.level }, own.level), code(own.check),
      own.pointer ? make('span', null, 'at ', code(own.pointer)) : null),
    make('p', null, index.checks[own.check] || ''),
    make('dl', null,
      make('dt', null, 'expected'), make('dd', { class: 'expected' }, code(own.expected)),
      make('dt', null, 'actual'), make('dd', { class: 'actual' }, code(own.actual)),
      ...(own.answer ? [make('dt', null, 'answered'),
        make('dd', { class: 'answered' }, code(own.answer.status + ' ' + (own.answer.excerpt || '')))] : []),
      ...(own.known ? [make('dt', null, 'known'), make('dd', null, own.known)] : []),
      ...own.because.flatMap((source) => [make('dt', null, source.evidence),
        make('dd', null, code(source.file + ':' + source.line), ' ', source.words)])));

  const changes = (one) => make('table', { class: 'changes' },
    make('thead', null, make('tr', null, ...['where', 'shown', 'sent', 'why'].map((text) => make('th', null, text)))),
    make('tbody', null, ...one.changes.map((own) => make('tr', null,
      make('td', null, own.in + ' ', code(own.at)),
      make('td', null, own.shown === undefined ? '–' : code(own.shown)),
      make('td', null, own.sent === undefined ? '–' : code(own.sent)),
      make('td', null, own.reason)))));

  const kind = (row) => {
    if (row.l === undefined) return 'added';
    if (row.r === undefined) return 'absent';
    return row.s ? 'same' : 'other';
  };
  const sides = (one) => {
    const found = new Map();
    for (const own of one.differences) {
      if (own.pointer) found.set(own.pointer, [...(found.get(own.pointer) || []), own.check]);
    }
    const rows = one.rows.map((row) => {
      const checks = row.p === undefined ? undefined : found.get(row.p);
      const right = make('td', null, row.r || '');
      for (const check of checks || []) right.prepend(make('span', { class: 'tag' }, check));
      return make('tr', { class: kind(row) + (checks ? ' finding' : '') }, make('td', null, row.l || ''), right);
    });
    const head = make('tr', null, make('th', null, 'documented'), make('th', null, 'received'));
    return make('div', { class: 'sides', tabindex: '0' },
      make('table', null, make('thead', null, head), make('tbody', null, ...rows)));
  };

  const message = (title, own) => {
    const text = make('pre', null);
    for (const [name, value] of own.headers) {
      text.append(make('span', { class: 'name' }, name + ': '), value + '\n');
    }
    if (own.body) text.append('\n' + own.body);
    return make('div', null, make('h4', null, title), text,
      own.note ? make('p', { class: 'quiet' }, own.note) : null);
  };
  const exchange = (own, open) => {
    const answer = own.response
      ? message('HTTP ' + own.status, own.response)
      : make('div', null, make('h4', null, 'no answer'), make('pre', null, own.failure || ''));
    const summary = make('summary', null, make('b', null, own.method), code(own.url),
      make('span', { class: 'status' }, '→ ' + (own.status || own.failure)),
      make('span', { class: 'time' }, own.ms.toFixed(1) + ' ms'));
    const details = make('details', { class: 'exchange' }, summary,
      make('div', { class: 'messages' }, message(own.method, own.request), answer));
    details.open = open;
    return details;
  };

  const detail = find('#detail');
  const show = (one) => {
    const back = make('a', { class: 'back', href: '#cases' }, '← all cases');
    const parts = [back,
      make('h2', null, make('span', { class: 'verdict ' + one.verdict }, one.verdict), make('span', null, one.id)),
      make('p', { class: 'quiet' }, one.operationId + ' · ' + one.area + (one.requests ? ' · ' + one.durationMs + ' ms' : ''))];
    if (one.reason) parts.push(make('p', { class: 'notice' }, one.reason));
    if (one.via) {
      const links = one.via.flatMap((id) => [make('a', { href: '#case-' + encodeURIComponent(id) }, id), ' ']);
      parts.push(make('p', null, 'decided by ', ...links));
    }
    if (one.differences.length) {
      parts.push(make('h3', null, 'Differences'), ...one.differences.map(difference));
      const curl = one.differences[0].curl;
      parts.push(make('h3', null, 'Repeat it'), make('pre', { class: 'curl' }, copied(curl), curl));
    }
    if (one.changes) parts.push(make('h3', null, 'Changed in the example'), changes(one));
    if (one.rows.length) parts.push(make('h3', null, 'Documented and received'), sides(one));
    if (one.traffic.length) {
      parts.push(make('h3', null, 'On the wire'));
      parts.push(...one.traffic.map((own, index) => exchange(own, index === 0 && one.traffic.length === 1)));
      const more = one.exchanges - one.traffic.length;
      if (more > 0) parts.push(make('p', { class: 'quiet' }, more + ' more exchanges are not in this page'));
    } else if (one.exchanges) {
      const text = 'This page has the traffic of one case for each cause. Run with --report har to keep all of it.';
      parts.push(make('p', { class: 'quiet' }, text));
    }
    detail.replaceChildren(...parts);
  };

  // Only the box itself is moved, not the page.
  const reveal = (box, child) => {
    const from = child.getBoundingClientRect().top - box.getBoundingClientRect().top;
    if (from < 40 || from > box.clientHeight - 60) box.scrollTop += from - box.clientHeight / 3;
  };

  // The case that is open, or that opens as soon as its pack is read.
  let wanted;
  const openCase = async (entry) => {
    wanted = entry;
    if (!entry) return;
    let one;
    try {
      one = await load(entry.position);
    } catch (error) {
      const text = 'Your browser cannot read the details of this case; report.json has them. (' + error + ')';
      detail.replaceChildren(make('p', { class: 'notice' }, text));
      return;
    }
    if (wanted !== entry) return;
    show(one);
    window.scrollTo(0, Math.min(window.scrollY, find('main').offsetTop));
    const finding = find('.sides .finding');
    if (finding) reveal(find('.sides'), finding);
  };

  const sections = ['overview', 'cases', 'coverage'];
  const route = () => {
    const hash = location.hash.slice(1);
    const opened = hash.startsWith('case-') ? byId.get(decodeURIComponent(hash.slice(5))) : undefined;
    const section = hash.startsWith('case-') ? 'cases' : sections.includes(hash) ? hash : 'overview';
    for (const id of sections) document.getElementById('part-' + id).hidden = id !== section;
    for (const link of all('nav a')) {
      if (link.hash === '#' + section) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    document.body.classList.toggle('opened', Boolean(opened));
    for (const { item, link, id } of items) {
      const current = opened && opened.id === id;
      if (!current) { link.removeAttribute('aria-current'); continue; }
      link.setAttribute('aria-current', 'true');
      item.hidden = false;
      reveal(find('#list'), item);
    }
    openCase(opened);
  };
  window.addEventListener('hashchange', route);

  const move = (step) => {
    const visible = items.filter(({ item }) => !item.hidden);
    if (!visible.length) return;
    const now = visible.findIndex(({ link }) => link.hasAttribute('aria-current'));
    const next = now < 0 ? 0 : Math.max(0, Math.min(visible.length - 1, now + step));
    location.hash = visible[next].link.hash;
    route();
    visible[next].link.focus({ preventScroll: true });
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches('input, select, textarea');
    if (event.key === 'Escape' && event.target === filters.text) { clear(); filters.text.blur(); return; }
    if (typing) return;
    if (event.key === '/') {
      event.preventDefault();
      if (find('#part-cases').hidden) { location.hash = '#cases'; route(); }
      filters.text.focus();
    } else if (event.key === 'j') move(1);
    else if (event.key === 'k') move(-1);
  });

  const root = document.documentElement;
  find('#theme').addEventListener('click', () => {
    const dark = root.classList.contains('dark')
      || (!root.classList.contains('light') && matchMedia('(prefers-color-scheme: dark)').matches);
    root.classList.toggle('dark', !dark);
    root.classList.toggle('light', dark);
  });

  filter();
  route();
})();

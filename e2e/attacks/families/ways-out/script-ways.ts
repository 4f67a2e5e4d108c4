// Ways out of a document by a script, each the text of an inline script of its own, run in the place that is tried. `{url}` and `{host}` as in
// markup-ways.ts; `{ws}`: the address as a WebSocket's. Names of APIs: MDN's index, Chromium's IDL, HackTricks ("CSP exfiltration"), WICG's
// Connection Allowlists, btidor.dev/content-security-policy.
const blob = (text: string, type = 'text/javascript'): string =>
  `URL.createObjectURL(new Blob([${JSON.stringify(text)}], { type: '${type}' }))`
const data = (text: string): string => JSON.stringify(`data:text/javascript,${encodeURIComponent(text)}`).replaceAll('%7Burl%7D', '{url}')
const asked = "fetch('{url}', { mode: 'no-cors' })"
/** Puts an element that `make` names `one` into the document. */
const put = (tag: string, then: string): string => `const one = document.createElement('${tag}'); ${then}; document.body.append(one)`
const drawn = (then: string): string => put('p', `one.textContent = 'x'; ${then}`)
const classed = drawn("one.className = '{name}'")
const sheet = (then: string): string => `${classed}; const sheet = new CSSStyleSheet(); ${then}; document.adoptedStyleSheets.push(sheet)`
const playlist = '#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n{url}\n#EXT-X-ENDLIST'
const hls = (address: string): string => put('video', `one.muted = true; one.autoplay = true; one.preload = 'auto'; one.src = ${address}`)
const rules = (of: object): string =>
  `const one = document.createElement('script'); one.type = 'speculationrules'; one.textContent = ${JSON.stringify(JSON.stringify(of))}; document.head.append(one)`
const eager = { source: 'list', urls: ['{url}'], eagerness: 'immediate' }
const provider = '{ configURL: "{url}", clientId: "x" }'

export const scriptWays: Readonly<Record<string, string>> = {
  fetch: asked,
  'fetch-post': "fetch('{url}', { method: 'POST', body: 'x', mode: 'no-cors' })",
  'fetch-request': "fetch(new Request('{url}', { mode: 'no-cors', cache: 'reload' }))",
  'fetch-form': "const body = new FormData(); body.set('a', 'b'); fetch('{url}', { method: 'POST', body, mode: 'no-cors' })",
  'fetch-priority': "fetch('{url}', { mode: 'no-cors', priority: 'low' })",
  'fetch-no-referrer': "fetch('{url}', { mode: 'no-cors', referrerPolicy: 'no-referrer', credentials: 'omit' })",
  'fetch-aborted-late':
    "const stop = new AbortController(); fetch('{url}', { mode: 'no-cors', signal: stop.signal }); setTimeout(() => stop.abort(), 500)",
  'fetch-attribution':
    "fetch('{url}', { mode: 'no-cors', keepalive: true, attributionReporting: { eventSourceEligible: true, triggerEligible: false } })",
  'fetch-topics': "fetch('{url}', { mode: 'no-cors', browsingTopics: true })",
  'fetch-loopback': "fetch('{url}', { mode: 'no-cors', targetAddressSpace: 'loopback' })",
  'fetch-host': "fetch('{host}', { mode: 'no-cors' })",
  'fetch-later-plain': "fetchLater('{url}', { activateAfter: 0 })",
  'fetch-prototype':
    "const { contentWindow } = document.body.appendChild(document.createElement('iframe')); contentWindow.fetch('{url}', { mode: 'no-cors' })",
  'request-post': "const request = new XMLHttpRequest(); request.open('POST', '{url}'); request.send('x')",
  'request-synchronous': "const request = new XMLHttpRequest(); request.open('GET', '{url}', false); request.send()",
  'request-preflight':
    "const request = new XMLHttpRequest(); request.open('PUT', '{url}'); request.setRequestHeader('X-A', 'b'); request.send()",
  'request-upload':
    "const request = new XMLHttpRequest(); request.upload.onprogress = () => 0; request.open('POST', '{url}'); request.send('x')",
  beacon: "navigator.sendBeacon('{url}', 'x')",
  'beacon-blob': "navigator.sendBeacon('{url}', new Blob(['x'], { type: 'text/plain' }))",
  'beacon-host': "navigator.sendBeacon('{host}', 'x')",
  'event-source': "new EventSource('{url}')",
  'event-source-host': "new EventSource('{host}')",
  'socket-protocol': "new WebSocket('{ws}', 'x')",
  'socket-host': "new WebSocket('{host}'.replace('http', 'ws'))",
  'socket-stream': "new WebSocketStream('{ws}').opened",
  'image-object': "new Image().src = '{url}'",
  'image-decode': "const image = new Image(); image.src = '{url}'; image.decode()",
  'image-set-attribute': "const image = new Image(); image.setAttribute('srcset', '{url} 1x')",
  'image-host': "new Image().src = '{host}'",
  'audio-object': "new Audio('{url}').preload = 'auto'",
  'video-object': "const video = document.createElement('video'); video.preload = 'auto'; video.src = '{url}'",
  'track-object': put(
    'video',
    "const track = document.createElement('track'); track.src = '{url}'; one.append(track); track.track.mode = 'hidden'",
  ),
  'poster-object': put('video', "one.poster = '{url}'"),
  'playlist-blob': hls(blob(playlist, 'application/vnd.apple.mpegurl')),
  'playlist-source': put(
    'video',
    `one.preload = 'auto'; const source = document.createElement('source'); source.type = 'application/vnd.apple.mpegurl'; source.src = ${blob(playlist, 'application/vnd.apple.mpegurl')}; one.append(source)`,
  ),
  'import-plain': "import('{url}')",
  'import-json': "import('{url}', { with: { type: 'json' } })",
  'import-style': "import('{url}', { with: { type: 'css' } })",
  'import-data': `import(${data("import '{url}'")})`,
  'import-data-fetch': `import(${data(asked)})`,
  'import-blob': `import(${blob("import '{url}'")})`,
  'import-blob-fetch': `import(${blob(asked)})`,
  'import-mapped':
    "const map = document.createElement('script'); map.type = 'importmap'; map.textContent = JSON.stringify({ imports: { 'far-{name}': '{url}' } }); document.head.append(map); import('far-{name}')",
  'script-element': put('script', "one.src = '{url}'"),
  'script-module': put('script', "one.type = 'module'; one.src = '{url}'"),
  'script-nomodule': put('script', "one.async = true; one.crossOrigin = ''; one.src = '{url}'"),
  'script-inline-module': put('script', "one.type = 'module'; one.textContent = \"import '{url}'\""),
  'script-blob': put('script', `one.src = ${blob(asked)}`),
  'script-data': put('script', `one.src = ${data(asked)}`),
  'script-host': put('script', "one.src = '{host}'"),
  'web-bundle': put('script', "one.type = 'webbundle'; one.textContent = JSON.stringify({ source: '{url}', resources: ['{url}'] })"),
  'handler-attribute': put('div', `one.setAttribute('onclick', ${JSON.stringify(asked)}); one.click()`),
  'timer-text': `setTimeout(${JSON.stringify(asked)})`,
  'function-text': `Function(${JSON.stringify(asked)})()`,
  'eval-text': `eval(${JSON.stringify(asked)})`,
  'web-assembly': "WebAssembly.compileStreaming(fetch('{url}'))",
  'worker-data': `new Worker(${data(asked)})`,
  'worker-blob': `new Worker(${blob(asked)})`,
  'worker-blob-import': `new Worker(${blob("importScripts('{url}')")})`,
  'worker-blob-module': `new Worker(${blob("import '{url}'")}, { type: 'module' })`,
  'worker-blob-socket': `new Worker(${blob("new WebSocket('{ws}')")})`,
  'worker-blob-host': `new Worker(${blob("fetch('{host}')")})`,
  'worker-far': "new Worker('{url}')",
  'worker-far-module': "new Worker('{url}', { type: 'module' })",
  'worker-in-a-worker': `new Worker(${blob(`new Worker(URL.createObjectURL(new Blob([${JSON.stringify(asked)}])))`)})`,
  'shared-worker-far': "new SharedWorker('{url}')",
  'service-worker-far': "navigator.serviceWorker.register('{url}')",
  'paint-worklet': "CSS.paintWorklet.addModule('{url}')",
  'paint-worklet-blob': `CSS.paintWorklet.addModule(${blob("import '{url}'")})`,
  'audio-worklet-blob': `new OfflineAudioContext(1, 1, 44100).audioWorklet.addModule(${blob("import '{url}'")})`,
  'cache-add': "caches.open('x').then((cache) => cache.add('{url}'))",
  'font-object': "new FontFace('a{name}', 'url({url})').load()",
  'font-set': "const font = new FontFace('b{name}', 'url({url})'); document.fonts.add(font); document.fonts.load('9px b{name}')",
  'font-canvas':
    "const font = new FontFace('c{name}', 'url({url})'); document.fonts.add(font); const pen = document.createElement('canvas').getContext('2d'); pen.font = '9px c{name}'; pen.fillText('x', 0, 9)",
  'font-offscreen':
    "const pen = new OffscreenCanvas(9, 9).getContext('2d'); const font = new FontFace('d{name}', 'url({url})'); document.fonts.add(font); pen.font = '9px d{name}'; pen.fillText('x', 0, 9)",
  'canvas-filter':
    "const pen = document.body.appendChild(document.createElement('canvas')).getContext('2d'); pen.filter = 'url({url}#x)'; pen.fillRect(0, 0, 9, 9)",
  'sheet-replace': sheet("sheet.replaceSync('.{name} { background: url({url}) }')"),
  'sheet-replace-later': `${classed}; const sheet = new CSSStyleSheet(); document.adoptedStyleSheets.push(sheet); sheet.replace('.{name} { background: url({url}) }')`,
  'sheet-insert': sheet("sheet.insertRule('.{name} { border: 9px solid; border-image: url({url}) 1 }')"),
  'sheet-font': sheet("sheet.replaceSync('@font-face { font-family: e{name}; src: url({url}) } .{name} { font-family: e{name} }')"),
  'rule-import': `${put('style', '')}; one.sheet.insertRule("@import '{url}'")`,
  'rule-style': `${drawn("one.className = '{name}'; one.innerHTML = '<style>.{name} { color: red }</style>x'")}; one.firstChild.sheet.cssRules[0].style.backgroundImage = 'url({url})'`,
  'rule-map': `${drawn("one.className = '{name}'; one.innerHTML = '<style>.{name} { color: red }</style>x'")}; one.firstChild.sheet.cssRules[0].styleMap.set('background-image', 'url({url})')`,
  'styled-property': drawn("one.style.setProperty('background-image', 'url({url})')"),
  'styled-text': drawn("one.style.cssText = 'background: url({url})'"),
  'styled-map': drawn("one.attributeStyleMap.set('background-image', 'url({url})')"),
  'styled-animate': `${drawn('')}; one.animate([{ backgroundImage: 'url({url})' }, { backgroundImage: 'url({url})' }], 9000)`,
  'styled-cursor': drawn("one.style.cursor = 'url({url}), auto'"),
  'styled-computed': `${drawn("one.className = '{name}'; one.innerHTML = '<style>.{name}::after { content: url({url}) }</style>x'")}; getComputedStyle(one, '::after').content`,
  'styled-registered':
    "CSS.registerProperty({ name: '--r{name}', syntax: '<image>', inherits: false, initialValue: 'url({url})' }); " +
    drawn("one.style.background = 'var(--r{name})'"),
  'html-adjacent': "document.body.insertAdjacentHTML('beforeend', '<img src=\"{url}\">')",
  'html-fragment': 'document.body.append(document.createRange().createContextualFragment(\'<img src="{url}">\'))',
  'html-outer': `${put('div', '')}; one.outerHTML = '<img src="{url}">'`,
  'html-template':
    "const kept = document.createElement('template'); kept.innerHTML = '<img src=\"{url}\">'; document.body.append(document.importNode(kept.content, true))",
  'html-parser': "document.body.append(...new DOMParser().parseFromString('<img src=\"{url}\">', 'text/html').body.children)",
  'html-set-unsafe': `${put('div', '')}; one.setHTMLUnsafe('<img src="{url}">')`,
  'html-namespace':
    "const one = document.createElementNS('http://www.w3.org/1999/xhtml', 'img'); one.src = '{url}'; document.body.append(one)",
  'html-custom':
    "customElements.define('a-{name}', class extends HTMLElement { connectedCallback() { new Image().src = '{url}' } }); document.body.append(document.createElement('a-{name}'))",
  'html-edit':
    "document.designMode = 'on'; document.getSelection().selectAllChildren(document.getElementById('log')); document.execCommand('insertHTML', false, '<img src=\"{url}\">'); document.designMode = 'off'",
  'html-edit-image':
    "document.designMode = 'on'; document.getSelection().selectAllChildren(document.getElementById('log')); document.execCommand('insertImage', false, '{url}'); document.designMode = 'off'",
  'html-svg':
    "const one = document.createElementNS('http://www.w3.org/2000/svg', 'svg'); one.innerHTML = '<image href=\"{url}\"></image>'; document.body.append(one)",
  'xml-style-sheet':
    'document.insertBefore(document.createProcessingInstruction(\'xml-stylesheet\', \'href="{url}" type="text/css"\'), document.documentElement)',
  'frame-javascript-fetch': put('iframe', `one.src = ${JSON.stringify(`javascript:${asked}`)}`),
  'frame-javascript-html': put('iframe', `one.src = "javascript:'<img src={url}>'"`),
  'frame-blob-fetch': put('iframe', `one.src = ${blob(`<script>${asked}</script>`, 'text/html')}`),
  'frame-blob-picture': put('iframe', `one.src = ${blob('<img src="{url}">', 'text/html')}`),
  'frame-blob-svg': put(
    'iframe',
    `one.src = ${blob('<svg xmlns="http://www.w3.org/2000/svg"><image href="{url}"/></svg>', 'image/svg+xml')}`,
  ),
  'frame-blob-xml': put('iframe', `one.src = ${blob('<?xml-stylesheet type="text/css" href="{url}"?><a/>', 'text/xml')}`),
  'frame-blob-xslt': put('iframe', `one.src = ${blob('<?xml-stylesheet type="text/xsl" href="{url}"?><a/>', 'text/xml')}`),
  'frame-data-fetch': put('iframe', `one.src = 'data:text/html,' + encodeURIComponent(${JSON.stringify(`<script>${asked}</script>`)})`),
  'frame-blank-beacon': `${put('iframe', '')}; one.contentWindow.navigator.sendBeacon('{url}', 'x')`,
  'frame-blank-socket': `${put('iframe', '')}; new one.contentWindow.WebSocket('{ws}')`,
  'frame-blank-image': `${put('iframe', '')}; new one.contentWindow.Image().src = '{url}'`,
  'frame-blank-sheet': `${put('iframe', '')}; one.contentDocument.head.innerHTML = '<link rel="stylesheet" href="{url}">'`,
  'frame-blank-preconnect': `${put('iframe', '')}; one.contentDocument.head.innerHTML = '<link rel="preconnect" href="{host}">'`,
  'frame-blank-dns': `${put('iframe', '')}; one.contentDocument.head.innerHTML = '<link rel="dns-prefetch" href="{host}">'`,
  'frame-blank-location': `${put('iframe', '')}; one.contentWindow.location = '{url}'`,
  'frame-blank-import': `${put('iframe', '')}; const inner = one.contentDocument.createElement('script'); inner.textContent = "import('{url}')"; one.contentDocument.body.append(inner)`,
  'frame-blank-write': `${put('iframe', '')}; one.contentDocument.write('<img src="{url}">')`,
  'frame-frameset':
    "const set = document.createElement('frameset'); const one = document.createElement('frame'); one.src = '{url}'; set.append(one); document.documentElement.append(set)",
  'hint-preconnect': "const one = document.createElement('link'); one.rel = 'preconnect'; one.href = '{host}'; document.head.append(one)",
  'hint-dns': "const one = document.createElement('link'); one.rel = 'dns-prefetch'; one.href = '{host}'; document.head.append(one)",
  'hint-prefetch': "const one = document.createElement('link'); one.rel = 'prefetch'; one.href = '{url}'; document.head.append(one)",
  'hint-icon': "const one = document.createElement('link'); one.rel = 'icon'; one.href = '{url}'; document.head.append(one)",
  'hint-manifest': "const one = document.createElement('link'); one.rel = 'manifest'; one.href = '{url}'; document.head.append(one)",
  'hint-swapped':
    "const one = document.createElement('link'); one.rel = 'x'; one.href = '{host}'; document.head.append(one); one.rel = 'preconnect'",
  'speculation-prefetch': rules({ prefetch: [eager] }),
  'speculation-prerender': rules({ prerender: [eager] }),
  'speculation-document': `document.body.insertAdjacentHTML('beforeend', '<a href="{url}">x</a>'); ${rules({ prefetch: [{ where: { href_matches: '/*' }, eagerness: 'immediate' }] })}`,
  'transport-host': "new WebTransport('{host}'.replace('http:', 'https:')).ready",
  'credential-identity': `navigator.credentials.get({ identity: { providers: [${provider}] } })`,
  'credential-identity-host': 'navigator.credentials.get({ identity: { providers: [{ configURL: "{host}x", clientId: "x" }] } })',
  'credential-disconnect': 'IdentityCredential.disconnect({ configURL: "{url}", clientId: "x", accountHint: "x" })',
  'credential-icon':
    "navigator.credentials.store(new FederatedCredential({ id: 'x', provider: location.origin, name: 'x', iconURL: '{url}' }))",
  'payment-method':
    "new PaymentRequest([{ supportedMethods: '{url}' }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).canMakePayment()",
  'payment-enrolled':
    "new PaymentRequest([{ supportedMethods: '{url}' }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).hasEnrolledInstrument()",
  'payment-show':
    "new PaymentRequest([{ supportedMethods: '{url}' }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).show()",
  'link-clicked-ping':
    "const one = document.createElement('a'); one.href = '#x'; one.ping = '{url}'; document.body.append(one); one.click()",
  'link-keyed-ping':
    "const one = document.createElement('a'); one.href = '#x'; one.ping = '{url}'; document.body.append(one); one.dispatchEvent(new MouseEvent('click', { bubbles: true }))",
  'xslt-import':
    'const xslt = new XSLTProcessor(); xslt.importStylesheet(new DOMParser().parseFromString(\'<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:import href="{url}"/></xsl:stylesheet>\', \'text/xml\')); xslt.transformToFragment(document, document)',
}

/** What takes the document away, or opens another: each has the document to itself. */
export const leavingScripts: Readonly<Record<string, string>> = {
  'location-assign': "location.assign('{url}')",
  'location-document': "document.location = '{url}'",
  'location-host': "location = '{host}'",
  'location-frame': "window.self.location.replace('{url}')",
  'location-form': "const one = document.createElement('form'); one.action = '{url}'; document.body.append(one); one.requestSubmit()",
  'location-blob': `location = ${blob('<img src="{url}">', 'text/html')}`,
  'location-data': "location = 'data:text/html,<img src={url}>'",
  'location-javascript': 'location = "javascript:\'<img src={url}>\'"',
  'location-of-parent': "parent.location = '{url}'",
  'location-of-top-link':
    "const one = document.createElement('a'); one.href = '{url}'; one.target = '_top'; document.body.append(one); one.click()",
  'location-refresh':
    "const one = document.createElement('meta'); one.httpEquiv = 'refresh'; one.content = '0;url={url}'; document.head.append(one)",
  'location-navigation': "navigation.navigate('{url}', { history: 'replace' })",
  'window-noopener': "open('{url}', '_blank', 'noopener')",
  'window-features': "open('{url}', 'x', 'popup,width=99,height=99')",
  'window-attribution': "open('{url}', '_blank', 'attributionsrc={url}')",
  'window-written': "open('').document.write('<img src={url}>')",
  'window-javascript': 'open("javascript:\'<img src={url}>\'")',
  'window-blob': `open(${blob('<img src="{url}">', 'text/html')})`,
  'window-host': "open('{host}')",
  'document-opened': "document.open(); document.write('<img src={url}>'); document.close()",
  'link-shift':
    "const one = document.createElement('a'); one.href = '{url}'; document.body.append(one); one.dispatchEvent(new MouseEvent('click', { shiftKey: true }))",
  'link-control':
    "const one = document.createElement('a'); one.href = '{url}'; document.body.append(one); one.dispatchEvent(new MouseEvent('click', { ctrlKey: true }))",
  'download-address':
    "const one = document.createElement('a'); one.href = '{url}'; one.download = 'x'; document.body.append(one); one.click()",
  'unload-beacon': "addEventListener('pagehide', () => navigator.sendBeacon('{url}', 'x')); location = 'about:blank'",
  'unload-fetch': "addEventListener('pagehide', () => fetch('{url}', { mode: 'no-cors', keepalive: true })); location = 'about:blank'",
  'unload-later': "fetchLater('{url}'); location = 'about:blank'",
  'unload-image': "addEventListener('pagehide', () => { new Image().src = '{url}' }); location = 'about:blank'",
}

// What the page looks like beyond its theme. Imported before the first paint.

/** The browser's system, by its own words. */
export const guessedOs = /Mac/.test(navigator.userAgent) ? 'mac' : /Windows/.test(navigator.userAgent) ? 'windows' : 'linux'

document.documentElement.dataset['os'] = guessedOs

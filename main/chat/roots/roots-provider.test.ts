import { expect, it } from 'vitest'
import { pathOfFileUri } from '#app/consent/rules/file-path.ts'
import { fileUri, pathBasename } from './roots-provider.ts'

it.each([
  ['/home/maya/notes', 'file:///home/maya/notes', 'notes'],
  ['/', 'file:///', '/'],
  ['/home/a b', 'file:///home/a%20b', 'a b'],
  ['/x#y?z%41', 'file:///x%23y%3Fz%2541', 'x#y?z%41'],
  ['/a\\b', 'file:///a%5Cb', 'a\\b'],
  ['/a\nb', 'file:///a%0Ab', 'a\nb'],
  ['/C:/odd', 'file:///C:/odd', 'odd'],
  ['/é/日本', 'file:///%C3%A9/%E6%97%A5%E6%9C%AC', '日本'],
])('%j is %s where paths begin with a slash, and reads as it was', (path, uri, name) => {
  expect([fileUri(path, false), pathBasename(path, false)]).toEqual([uri, name])
  expect(pathOfFileUri(uri, 'linux')).toBe(path)
})

it.each([
  ['C:\\Users\\Ada Lovelace', 'file:///C:/Users/Ada%20Lovelace', 'Ada Lovelace'],
  ['c:\\x', 'file:///c:/x', 'x'],
  ['D:\\', 'file:///D:/', 'D:\\'],
  ['C:\\a#b%20é', 'file:///C:/a%23b%2520%C3%A9', 'a#b%20é'],
  ['\\\\nas\\share\\a b', 'file://nas/share/a%20b', 'a b'],
])('%j is %s on Windows, and reads as it was', (path, uri, name) => {
  expect([fileUri(path, true), pathBasename(path, true)]).toEqual([uri, name])
  expect(pathOfFileUri(uri, 'win32')).toBe(path)
})

it.each([
  ['\\\\?\\C:\\long', 'file:///C:/long'],
  ['\\\\?\\UNC\\nas\\share', 'file://nas/share'],
])('%j is told without the mark of a long path: %s', (path, uri) => expect(fileUri(path, true)).toBe(uri))

it.each(['https://a.example/x', 'file:///%E0%A4%A', 'file://nas/x', 'file:///a%2Fb', 'nothing'])(
  '%s is no path of this system and stays as it is',
  (uri) => expect(pathOfFileUri(uri, 'linux')).toBe(uri),
)

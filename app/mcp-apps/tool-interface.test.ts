import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../json.ts'
import { toolInterface } from './tool-interface.ts'

const uri = 'ui://demo/view.html'
const both = { forModel: true, forApp: true }

describe('what a tool says of its interface', () => {
  it.each<[string, JsonObject | undefined, ReturnType<typeof toolInterface>]>([
    ['nothing', undefined, { resourceUri: undefined, ...both }],
    ['a resource', { ui: { resourceUri: uri } }, { resourceUri: uri, ...both }],
    ['a resource by the older key', { 'ui/resourceUri': uri }, { resourceUri: uri, ...both }],
    ['two of them: the newer counts', { ui: { resourceUri: uri }, 'ui/resourceUri': 'ui://old' }, { resourceUri: uri, ...both }],
    ['a resource that is a web page', { ui: { resourceUri: 'https://example.com' } }, { resourceUri: undefined, ...both }],
    ['a resource without a name', { ui: { resourceUri: 'ui://' } }, { resourceUri: undefined, ...both }],
    ['for views alone', { ui: { visibility: ['app'] } }, { resourceUri: undefined, forModel: false, forApp: true }],
    ['for the model alone', { ui: { visibility: ['model'] } }, { resourceUri: undefined, forModel: true, forApp: false }],
    ['for both', { ui: { visibility: ['app', 'model'] } }, { resourceUri: undefined, ...both }],
    ['for nobody', { ui: { visibility: [] } }, { resourceUri: undefined, forModel: false, forApp: false }],
    ['for one, not as a list', { ui: { visibility: 'app' } }, { resourceUri: undefined, forModel: false, forApp: true }],
    ['a visibility that cannot be read', { ui: { visibility: { app: true } } }, { resourceUri: undefined, forModel: false, forApp: false }],
    ['an interface that cannot be read', { ui: 'yes' }, { resourceUri: undefined, ...both }],
  ])('%s', (_title, meta, found) => {
    expect(toolInterface({ _meta: meta })).toEqual(found)
  })
})

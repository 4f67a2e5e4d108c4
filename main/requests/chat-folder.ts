import { requireModel } from '#main/models/require-model.ts'
import type { HandlersOf, HostParts } from './handlers.ts'

export const chatFolderRequests = ({ history, models }: HostParts): HandlersOf<'chatFolder'> => ({
  'chatFolder.save'({ id, draft }) {
    if (draft.model !== undefined && draft.model !== (id === undefined ? undefined : history.folder(id).model))
      requireModel(models, draft.model)
    return { id: history.saveFolder(id, draft) }
  },
  'chatFolder.setClosed'({ id, closed }) {
    const { closed: _, ...others } = history.folder(id)
    history.putFolder(closed ? { ...others, closed } : others)
    return {}
  },
  'chatFolder.remove': ({ id }) => history.removeFolder(id),
})

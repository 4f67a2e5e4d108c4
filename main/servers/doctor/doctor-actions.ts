// Actions that diagnoses offer.
import { t } from '#app/i18n/translate.ts'
import type { DoctorAction, EditField } from '#app/server/doctor.ts'
import type { DiagnosisCase } from './diagnosis-input.ts'

export const retry = (): DoctorAction => ({ kind: 'retry', label: t`Try again` })
export const log = (): DoctorAction => ({ kind: 'log', label: t`Show log` })
export const edit = (label: string, field: EditField): DoctorAction => ({ kind: 'edit', label, field })
/** Action that edits a field, under the usual label. */
export const change = (field: EditField): DoctorAction => edit(editLabels()[field] ?? t`Edit`, field)
const editLabels = (): Partial<Record<EditField, string>> => ({
  command: t`Change the command`,
  args: t`Change the arguments`,
  env: t`Change the environment`,
  cwd: t`Change the folder`,
  url: t`Change the address`,
  headers: t`Change the headers`,
  oauth: t`Change the sign-in`,
})
export const copy = (text: string): DoctorAction => ({ kind: 'copy', label: t`Copy “${text}”`, text })

/** Action that copies the command which installs a program, where one is known. */
export const copyInstall = (help: { readonly install: string | undefined } | undefined): DoctorAction[] =>
  help?.install ? [copy(help.install)] : []

export const readAgain = (): DoctorAction => ({ kind: 'environment', label: t`Reload environment variables` })

export const editWhere = ({ definition }: Pick<DiagnosisCase, 'definition'>): DoctorAction =>
  change(definition.transport === 'stdio' ? 'command' : 'url')

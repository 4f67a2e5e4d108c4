import type { Attack } from './attack.ts'
import { addresses } from './families/addresses.ts'
import { agentSocket } from './families/agents/agent-socket.ts'
import { httpAgents } from './families/agents/http-agents.ts'
import { lyingAgents } from './families/agents/lying-agents.ts'
import { taskAgents } from './families/agents/task-agents.ts'
import { answers } from './families/answers.ts'
import { bound } from './families/bound/bound.ts'
import { bundles } from './families/bundles.ts'
import { changedLaunches } from './families/changed-launches.ts'
import { commandLine } from './families/command-line.ts'
import { definitions } from './families/definitions.ts'
import { descriptions } from './families/descriptions.ts'
import { flows } from './families/flows.ts'
import { forms } from './families/forms.ts'
import { held } from './families/held/held.ts'
import { accounts } from './families/identity/accounts.ts'
import { bundleUpdates } from './families/identity/bundle-updates.ts'
import { changedPrograms } from './families/identity/changed-programs.ts'
import { changedSources } from './families/identity/changed-sources.ts'
import { linkedEntries } from './families/identity/linked-entries.ts'
import { packageUpdates } from './families/identity/package-updates.ts'
import { pinnedPackages } from './families/identity/pinned-packages.ts'
import { programIdentity } from './families/identity/program-identity.ts'
import { restoredPrograms } from './families/identity/restored-programs.ts'
import { launches } from './families/launches.ts'
import { links } from './families/links.ts'
import { names } from './families/names.ts'
import { previews, schemas } from './families/offers.ts'
import { argumentLists } from './families/outsiders/argument-lists.ts'
import { foreignFiles } from './families/outsiders/foreign-files.ts'
import { labels } from './families/outsiders/labels.ts'
import { lyingModels } from './families/outsiders/lying-models.ts'
import { meanwhileState } from './families/outsiders/meanwhile-state.ts'
import { pageDoors } from './families/outsiders/page-doors.ts'
import { replacedState } from './families/outsiders/replaced-state.ts'
import { saidBack } from './families/outsiders/said-back.ts'
import { signedState } from './families/outsiders/signed-state.ts'
import { tamperedState } from './families/outsiders/tampered-state.ts'
import { terminals } from './families/outsiders/terminals.ts'
import { writtenState } from './families/outsiders/written-state.ts'
import { lookAlikes } from './families/promises/look-alikes.ts'
import { processLists } from './families/promises/process-lists.ts'
import { prompts } from './families/promises/prompts.ts'
import { sites } from './families/promises/sites.ts'
import { spelledSecrets } from './families/promises/spelled-secrets.ts'
import { protocol } from './families/protocol.ts'
import { reads } from './families/reads.ts'
import { red } from './families/red/red.ts'
import { registry } from './families/registry.ts'
import { results } from './families/results.ts'
import { rules } from './families/rules.ts'
import { sampling } from './families/sampling.ts'
import { samplingLimits } from './families/sampling-limits.ts'
import { sandboxAnswers } from './families/sandbox/sandbox-answers.ts'
import { sandboxClaims } from './families/sandbox/sandbox-claims.ts'
import { sandboxFiles } from './families/sandbox/sandbox-files.ts'
import { sandboxNetwork } from './families/sandbox/sandbox-network.ts'
import { sandboxProcesses } from './families/sandbox/sandbox-processes.ts'
import { signIn } from './families/sign-in.ts'
import { taintedChats } from './families/tainted-chats.ts'
import { takeovers } from './families/takeovers.ts'
import { views } from './families/views.ts'

export const families: readonly Attack[] = [
  ...descriptions,
  ...definitions,
  ...names,
  ...results,
  ...reads,
  ...links,
  ...forms,
  ...sampling,
  ...samplingLimits,
  ...answers,
  ...rules,
  ...launches,
  ...changedLaunches,
  ...flows,
  ...protocol,
  ...signIn,
  ...addresses,
  ...takeovers,
  ...commandLine,
  ...registry,
  ...bundles,
  ...views,
  ...schemas,
  ...previews,
  ...bound,
  ...terminals,
  ...saidBack,
  ...labels,
  ...lyingModels,
  ...writtenState,
  ...signedState,
  ...replacedState,
  ...tamperedState,
  ...meanwhileState,
  ...taintedChats,
  ...argumentLists,
  ...foreignFiles,
  ...pageDoors,
  ...pinnedPackages,
  ...packageUpdates,
  ...programIdentity,
  ...accounts,
  ...bundleUpdates,
  ...linkedEntries,
  ...restoredPrograms,
  ...changedPrograms,
  ...changedSources,
  ...prompts,
  ...sites,
  ...spelledSecrets,
  ...lookAlikes,
  ...processLists,
  ...sandboxAnswers,
  ...sandboxClaims,
  ...sandboxFiles,
  ...sandboxProcesses,
  ...sandboxNetwork,
  ...red,
  ...lyingAgents,
  ...agentSocket,
  ...httpAgents,
  ...taskAgents,
  ...held,
]

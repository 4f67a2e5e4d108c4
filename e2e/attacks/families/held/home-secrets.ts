// The home folder is granted as a whole: what other programs keep there of secrets is not read for it, and what they run
// or obey at their next start is not written.
import { join } from 'node:path'
import type { Attack } from '../../attack.ts'
import { escapeRow } from '../sandbox/escapes.ts'
import { put, type Scene, secret, textOf } from '../sandbox/scene.ts'

/** Credentials, sessions, wallets and histories, where the programs themselves lay them. */
const kept = `
  .config/gh/hosts.yml .azure/msal_token_cache.json .codex/auth.json .claude/.credentials.json .claude.json .gemini/oauth_creds.json
  .config/github-copilot/hosts.json .config/rclone/rclone.conf .pgpass .my.cnf .vault-token .terraform.d/credentials.tfrc.json
  .cargo/credentials.toml .gem/credentials .pypirc .password-store/bank.gpg .config/chromium/Default/Cookies
  .config/BraveSoftware/Brave-Browser/Default/Cookies .config/microsoft-edge/Default/Cookies .thunderbird/a.default/logins.json
  .local/share/kwalletd/kdewallet.kwl .zsh_history .python_history .psql_history .node_repl_history .local/share/fish/fish_history
  .config/op/config .oci/oci_api_key.pem .cache/huggingface/token .kaggle/kaggle.json .s3cfg .boto .config/hub .config/glab-cli/config.yml
  .electrum/wallets/default_wallet .bitcoin/wallet.dat .config/Signal/config.json .config/Slack/Cookies .mcp-auth/a/tokens.json
  .config/Claude/claude_desktop_config.json .cursor/mcp.json .config/doctl/config.yaml .config/heroku/credentials.json .fly/config.yml
  .config/sops/age/keys.txt .snap/auth/auth.json snap/firefox/common/.mozilla/firefox/a/logins.json
  .var/app/org.mozilla.firefox/.mozilla/firefox/a/logins.json .config/Code/User/globalStorage/state.vscdb .mysql_history
`
  .trim()
  .split(/\s+/)

/** What a shell, a desktop, an editor or another program runs or obeys. */
const obeyed = `
  .bash_profile .bash_login .bash_logout .bash_aliases .zprofile .zlogin .config/fish/config.fish .config/fish/conf.d/a.fish .xprofile .xinitrc
  .pam_environment .config/environment.d/a.conf .inputrc .vimrc .config/nvim/init.lua .emacs.d/init.el .tmux.conf .config/git/config
  .config/git/attributes .local/share/applications/a.desktop .config/mimeapps.list .local/share/dbus-1/services/a.service .npmrc
  .config/pip/pip.conf .cargo/config.toml .vscode/settings.json .config/Code/User/settings.json .cursor/mcp.json .claude/settings.json
  .codex/config.toml .ssh/rc .ssh/config .gnupg/gpg-agent.conf .config/systemd/user/default.target.wants/a.service .local/bin/ls
  .config/plasma-workspace/env/a.sh .gdbinit .docker/config.json .kube/config .yarnrc.yml .bunfig.toml .config/uv/uv.toml .m2/settings.xml
`
  .trim()
  .split(/\s+/)

const granting =
  (access: 'read' | 'write', folder = '', before?: string) =>
  (scene: Scene): { readonly read?: readonly string[]; readonly write?: readonly string[] } => {
    if (before) put(join(scene.home, before))
    return { [access]: [join(scene.home, folder)] }
  }

/** `folder`: what is granted. */
const readRow = (path: string, folder = ''): Attack =>
  escapeRow({
    name: `${path} of a granted ${folder || 'home folder'} is not read`,
    // Outside, the control lays it itself.
    code: `if (!fs.existsSync(scene.home + '/${path}') && !process.env.HTTP_PROXY) { fs.mkdirSync(path.dirname(scene.home + '/${path}'), { recursive: true }); fs.writeFileSync(scene.home + '/${path}', '${secret}') }; read(scene.home + '/${path}')`,
    escaped: (said) => said.includes(secret),
    grants: granting('read', folder, path) as never,
  })
const writeRow = (path: string): Attack =>
  escapeRow({
    name: `${path} of a granted home folder is not written`,
    code: `write(scene.home + '/${path}')`,
    escaped: (_, scene) => textOf(join(scene.home, path)).includes('ESCAPED'),
    grants: granting('write') as never,
  })

/** Folders that a person may grant with settings or data in mind. */
const shared = ['.config', '.local/share', '.cache', '.cargo']

export const homeSecrets: readonly Attack[] = [
  ...kept.map((path) => readRow(path)),
  ...shared.flatMap((folder) => kept.filter((path) => path.startsWith(`${folder}/`)).map((path) => readRow(path, folder))),
  ...obeyed.map(writeRow),
]

// Paths of the home folder that a sandbox protects, whatever a grant around them says. Relative to the home folder, except those that
// begin with a slash. Pure.

// biome-ignore format: a list reads better in rows
/** Secrets, by what they are: readable only where a grant names the path itself or something below it. */
export const secretGroups = {
  keys: [
    '.ssh', '.gnupg',
    '.pki', '.putty', '.electrum', '.bitcoin', '.litecoin', '.monero', '.ethereum', '.config/solana', '.config/Exodus', '.config/Ledger Live',
    '.config/age',
  ],
  credentials: [
    '.aws', '.azure', '.config/gcloud', '.config/gh', '.config/hub', '.config/op', '.config/rclone', '.config/doctl',
    '.kube', '.docker', '.oci', '.terraform.d', '.vault-token', '.netrc', '.git-credentials', '.config/git/credentials', '.npmrc', '.yarnrc',
    '.yarnrc.yml', '.pypirc', '.config/pip', '.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.m2/settings.xml',
    '.gradle/gradle.properties', '.nuget', '.composer/auth.json', '.pgpass', '.my.cnf', '.s3cfg', '.boto', '.config/sops',
    '.kaggle', '.huggingface', '.cache/huggingface/token', '.cache/huggingface/stored_tokens', '.config/heroku', '.config/glab-cli', '.fly', '.snap',
    '.netlify', '.config/netlify', '.vercel', '.local/share/com.vercel.cli', '.railway', '.wrangler', '.config/.wrangler', '.cloudflared',
    '.config/ngrok', '.config/stripe', '.config/configstore', '.config/firebase', '.supabase', '.databrickscfg', '.snowflake', '.snowsql', '.dbt',
    '.jfrog', '.circleci/cli.yml', '.sentryclirc', '.aliyun', '.config/linode-cli', '.config/hcloud', '.config/scw', '.pulumi', '.chef', '.config/helm',
    '.config/containers', '.subversion/auth', '.mylogin.cnf', '.bundle/config', '.config/pypoetry', '.condarc', '.mc/config.json', '.smbcredentials',
    '.davfs2', '.msmtprc', '.mbsyncrc', '.authinfo', '.authinfo.gpg', '.config/remmina', '.local/share/remmina', '.config/filezilla',
  ],
  passwords: ['.password-store', '.1password', '.config/1Password', '.config/Bitwarden', '.config/keepassxc'],
  /** Browsers and mail. */
  profiles: [
    '.mozilla', '.thunderbird', '.config/google-chrome', '.config/google-chrome-beta', '.config/chromium', '.config/BraveSoftware',
    '.config/microsoft-edge', '.config/vivaldi', '.config/opera', '.cache/mozilla', '.cache/google-chrome', '.cache/chromium', 'snap', '.var/app',
    'Library/Application Support/Google', 'Library/Application Support/Chromium', 'Library/Application Support/BraveSoftware',
    'Library/Application Support/Microsoft Edge', 'Library/Application Support/Firefox', 'Library/Safari', 'Library/Cookies', 'Library/Mail',
    'Library/Messages', 'Library/Containers', 'Library/Group Containers',
    '.librewolf', '.waterfox', '.zen', '.local/share/evolution', '.config/evolution', '.local/share/epiphany', '.config/Signal', '.config/Slack',
    '.config/discord', '.config/Element', '.config/teams-for-linux', '.local/share/TelegramDesktop', '.purple', 'Library/Application Support/Slack',
    'Library/Application Support/Signal', 'Library/Application Support/discord', 'Library/Application Support/Telegram Desktop',
  ],
  history: [
    '.bash_history', '.zsh_history', '.zsh_sessions', '.local/share/fish', '.histfile', '.python_history', '.node_repl_history', '.psql_history',
    '.mysql_history', '.sqlite_history', '.lesshst', '.viminfo', '.config/fish/fish_history',
    '.irb_history', '.pry_history', '.rediscli_history', '.dbshell', '.mongodb', '.local/share/powershell', '.config/nushell', '.local/share/atuin',
    '.local/share/recently-used.xbel', '.Rhistory',
  ],
  /** Other agents and editors keep tokens. */
  apps: [
    '.claude', '.claude.json', '.codex', '.gemini', '.cursor', '.config/Claude', '.config/Code', '.config/Cursor', '.config/github-copilot',
    '.mcp-auth', '.copilot', '.windsurf', '.codeium', '.config/Windsurf', '.config/VSCodium', '.continue', '.kiro', '.qwen', '.kimi',
    '.config/opencode', '.local/share/opencode', '.config/goose', '.lmstudio', '.config/zed', '.local/share/zed', '.config/JetBrains',
    'Library/Application Support/Claude', 'Library/Application Support/Code', 'Library/Application Support/Cursor',
  ],
} as const
export type SecretKind = keyof typeof secretGroups

export const secretPaths: readonly string[] = Object.values(secretGroups).flat()

/** Never readable, and no grant may name them. */
export const neverReadable: readonly string[] = [
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.kde/share/apps/kwallet',
  'Library/Keychains',
]

// biome-ignore format: a list reads better in rows
/** Never writable: what other programs run or obey. A grant to write one of them, or a folder that holds one, is refused or masked. */
export const neverWritable: readonly string[] = [
  '.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout',
  '.kshrc', '.cshrc', '.tcshrc', '.login', '.inputrc', '.xprofile', '.xinitrc', '.xsession', '.Xresources', '.pam_environment', '.envrc',
  '.config', '.local/bin', '.local/share/applications', '.local/share/systemd', '.local/share/dbus-1', '.local/share/autostart', '.local/lib',
  '.gitconfig', '.gitignore_global', '.git-templates', '.vim', '.vimrc', '.emacs', '.emacs.d', '.tmux.conf', '.screenrc', '.wgetrc', '.curlrc',
  '.nvm', '.pyenv', '.volta', '.asdf', '.bun', '.deno', '.cargo', '.rustup', '.rbenv', '.sdkman', '.oh-my-zsh', '.npm', '.vscode', '.cursor',
  '.vscode-server', '.ssh', '.gnupg', '.aws', '.kube', '.docker', '.claude', '.claude.json', '.codex', '.gemini', '.mozilla', 'bin', 'snap',
  'Library/LaunchAgents', 'Library/Preferences', 'Library/Application Support', 'Library/Services', 'Library/Scripts', 'Library/Application Scripts',
  // Windows has no engine yet.
]

// biome-ignore format: a list reads better in rows
/** Paths in every folder that may be written: what other programs run or obey when they work there. */
export const guardedInFolders: readonly string[] = [
  '.git/hooks', '.git/config', '.git/commondir', '.git/config.worktree', '.git/info/attributes', '.gitmodules', '.husky', '.vscode', '.idea', '.cursor', '.claude',
  '.codex', '.gemini', '.mcp.json', '.envrc', '.devcontainer', '.github/hooks', '.zed', '.windsurf', '.kiro', '.roo', '.opencode', '.continue',
  '.amazonq', '.trae', '.npmrc', '.yarnrc.yml', '.cargo/config', '.cargo/config.toml',
  '.pre-commit-config.yaml', 'lefthook.yml', '.lefthook.yml',
]

// biome-ignore format: a list reads better in rows
/** Files of the system that are masked: readable where Assent runs as root. */
export const maskedInSystem: readonly string[] = [
  '/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d', '/etc/ssl/private', '/etc/ssh',
  '/etc/NetworkManager/system-connections', '/etc/wireguard', '/etc/docker', '/etc/kubernetes', '/etc/krb5.keytab', '/etc/machine-id',
]

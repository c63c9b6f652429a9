//! The table of programs that take a password on their command line.

use super::login::{Position, Program};

/// A program without any place, from which the table's entries start.
const PLAIN: Program = Program {
    names: "",
    needs: "",
    attached: &[],
    next: &[],
    pairs: &[],
    position: Position::None,
};

/// The table of programs.
pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlslap \
            mysqlbinlog mysqlsh mariadb mariadb-dump mariadb-admin mycli mysqlpump \
            mydumper xtrabackup",
        attached: &["-p"],
        ..PLAIN
    },
    Program {
        names: "sshpass",
        attached: &["-p"],
        next: &["-p"],
        ..PLAIN
    },
    Program {
        names: "curl curlie",
        pairs: &[
            ("-u", ':'),
            ("--user", ':'),
            ("--proxy-user", ':'),
            ("-U", ':'),
        ],
        ..PLAIN
    },
    Program {
        names: "http https xh xhs",
        pairs: &[("-a", ':'), ("--auth", ':')],
        ..PLAIN
    },
    Program {
        names: "redis-cli valkey-cli keydb-cli",
        next: &["-a", "--pass"],
        position: Position::After("AUTH", 1),
        ..PLAIN
    },
    Program {
        names: "mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat",
        attached: &["-p"],
        next: &["-p"],
        ..PLAIN
    },
    Program {
        names: "docker podman helm nerdctl buildah skopeo oras crane az oc cf ibmcloud \
            argocd heroku kubelogin bx cloudctl regctl flyctl snyk wrangler doctl jf",
        needs: "login",
        next: &["-p", "-t", "--creds"],
        attached: &["-p"],
        ..PLAIN
    },
    Program {
        names: "skopeo buildah",
        pairs: &[
            ("--creds", ':'),
            ("--src-creds", ':'),
            ("--dest-creds", ':'),
        ],
        ..PLAIN
    },
    Program {
        names: "ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd ldapcompare",
        attached: &["-w"],
        next: &["-w", "-s"],
        ..PLAIN
    },
    Program {
        names: "smbclient rpcclient smbmap smbget",
        pairs: &[("-U", '%'), ("--user", '%')],
        ..PLAIN
    },
    Program {
        names: "net",
        needs: "use",
        position: Position::AnyAfter("use"),
        ..PLAIN
    },
    Program {
        names: "net",
        needs: "user",
        position: Position::After("user", 2),
        ..PLAIN
    },
    Program {
        names: "net",
        pairs: &[("-U", '%')],
        ..PLAIN
    },
    Program {
        names: "unzip zip zipcloak funzip",
        attached: &["-P"],
        next: &["-P"],
        ..PLAIN
    },
    Program {
        names: "7z 7za 7zr 7zz rar unrar",
        attached: &["-p", "-hp"],
        ..PLAIN
    },
    Program {
        names: "openssl",
        next: &["-k", "-K"],
        attached: &["pass:"],
        ..PLAIN
    },
    Program {
        names: "keytool jarsigner apksigner",
        next: &[
            "-storepass",
            "-keypass",
            "-srcstorepass",
            "-deststorepass",
            "-new",
        ],
        attached: &["pass:"],
        ..PLAIN
    },
    Program {
        names: "sqlcmd bcp osql isql tsql mssql-cli",
        attached: &["-P"],
        next: &["-P"],
        ..PLAIN
    },
    Program {
        names: "sqlplus sqlldr expdp impdp rman exp imp sqlcl",
        position: Position::Slash,
        ..PLAIN
    },
    Program {
        names: "vault",
        needs: "login",
        position: Position::After("login", 1),
        ..PLAIN
    },
    Program {
        names: "htpasswd",
        position: Position::LastWith("b"),
        ..PLAIN
    },
    Program {
        names: "rabbitmqctl",
        position: Position::After("add_user", 2),
        ..PLAIN
    },
    Program {
        names: "rabbitmqctl",
        position: Position::After("change_password", 2),
        ..PLAIN
    },
    Program {
        names: "rabbitmqctl",
        position: Position::After("authenticate_user", 2),
        ..PLAIN
    },
    Program {
        names: "rabbitmqadmin",
        next: &["-p"],
        ..PLAIN
    },
    Program {
        names: "codecov codecovcli codecov-cli",
        next: &["-t"],
        ..PLAIN
    },
    Program {
        names: "signtool",
        next: &["/p", "-p"],
        ..PLAIN
    },
    Program {
        names: "rclone",
        position: Position::After("pass", 1),
        ..PLAIN
    },
    Program {
        names: "wg",
        next: &["private-key", "preshared-key"],
        ..PLAIN
    },
    Program {
        names: "lftp",
        pairs: &[("-u", ','), ("--user", ',')],
        ..PLAIN
    },
    Program {
        names: "ncftp ncftpput ncftpget twine cqlsh cypher-shell psexec yt-dlp beeline \
            rdesktop evil-winrm bteq influx snowsql",
        next: &["-p"],
        attached: &["-p"],
        ..PLAIN
    },
    Program {
        names: "mosquitto_pub mosquitto_sub mosquitto_rr ipmitool",
        next: &["-P"],
        ..PLAIN
    },
    Program {
        names: "plink pscp psftp putty",
        next: &["-pw"],
        ..PLAIN
    },
    Program {
        names: "xfreerdp wfreerdp cmdkey wmic",
        attached: &["/p:", "/pass:", "/password:"],
        ..PLAIN
    },
    Program {
        names: "ssh-keygen",
        next: &["-N", "-P"],
        ..PLAIN
    },
    Program {
        names: "etcdctl",
        pairs: &[("--user", ':')],
        ..PLAIN
    },
    Program {
        names: "jenkins-cli.jar jenkins-cli",
        pairs: &[("-auth", ':')],
        ..PLAIN
    },
    Program {
        names: "nuget",
        next: &["-k", "--api-key", "-ApiKey"],
        ..PLAIN
    },
    Program {
        names: "mc",
        needs: "alias",
        position: Position::After("set", 4),
        ..PLAIN
    },
    Program {
        names: "mosquitto_passwd",
        position: Position::LastWith("b"),
        ..PLAIN
    },
    Program {
        names: "wpa_passphrase",
        position: Position::LastWith(""),
        ..PLAIN
    },
    Program {
        names: "nmcli",
        position: Position::After("password", 1),
        ..PLAIN
    },
    Program {
        names: "db2",
        position: Position::After("using", 1),
        ..PLAIN
    },
    Program {
        names: "useradd usermod",
        next: &["-p"],
        ..PLAIN
    },
    Program {
        names: "kinit",
        attached: &["--password="],
        ..PLAIN
    },
    Program {
        names: "wget",
        attached: &[
            "--password=",
            "--http-password=",
            "--ftp-password=",
            "--proxy-password=",
        ],
        ..PLAIN
    },
    Program {
        names: "gpg gpg2",
        next: &["--passphrase"],
        attached: &["--passphrase="],
        ..PLAIN
    },
    Program {
        names: "cargo",
        position: Position::Token("login"),
        ..PLAIN
    },
    Program {
        names: "snyk",
        position: Position::Token("auth"),
        ..PLAIN
    },
    Program {
        names: "poetry",
        position: Position::After("config", 3),
        ..PLAIN
    },
    Program {
        names: "aws",
        needs: "SecureString",
        next: &["--value"],
        ..PLAIN
    },
    Program {
        names: "ConvertTo-SecureString",
        position: Position::First,
        ..PLAIN
    },
    Program {
        names: "gh",
        needs: "secret",
        next: &["--body", "-b"],
        attached: &["-b"],
        ..PLAIN
    },
    Program {
        names: "security",
        next: &["-w", "-p", "-P"],
        ..PLAIN
    },
    Program {
        names: "schtasks sc.exe",
        next: &["/rp", "/p", "password="],
        ..PLAIN
    },
    Program {
        names: "winrs netdom",
        attached: &[
            "-p:",
            "/p:",
            "-password:",
            "/passwordd:",
            "/passwordo:",
            "/pd:",
            "/po:",
        ],
        ..PLAIN
    },
    Program {
        names: "certutil pvk2pfx hydra medusa crackmapexec netexec nxc vsce ovsx racadm",
        next: &["-p", "-pi", "-po"],
        ..PLAIN
    },
    Program {
        names: "sendemail swaks",
        next: &["-xp", "-ap"],
        ..PLAIN
    },
    Program {
        names: "snmpget snmpset snmpwalk snmpbulkwalk",
        next: &["-A", "-X"],
        ..PLAIN
    },
    Program {
        names: "kadmin kadmin.local",
        next: &["-w", "-pw"],
        ..PLAIN
    },
    Program {
        names: "impacket-psexec impacket-wmiexec impacket-smbexec impacket-secretsdump \
            psexec.py wmiexec.py smbexec.py secretsdump.py GetUserSPNs.py",
        position: Position::Target,
        ..PLAIN
    },
    Program {
        names: "ngrok",
        position: Position::After("add-authtoken", 1),
        ..PLAIN
    },
    Program {
        names: "rclone",
        position: Position::After("obscure", 1),
        ..PLAIN
    },
    Program {
        names: "steamcmd",
        position: Position::After("+login", 2),
        ..PLAIN
    },
    Program {
        names: "grafana-cli",
        position: Position::After("reset-admin-password", 1),
        ..PLAIN
    },
    Program {
        names: "consul etcdctl",
        needs: "put",
        position: Position::Named("put"),
        ..PLAIN
    },
];

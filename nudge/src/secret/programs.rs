//! The table of programs that take a password on their command line.

use std::sync::LazyLock;

use super::login::{Position, Program};

/// A program a row: its names, then between bars the word that it needs, its flags and the
/// argument that is the password, as far as it has them.
///
/// The password follows a flag in the next word, is attached to one that ends in `*`, and
/// stands behind the user and the sign after a `~`.
const ROWS: &str = "\
mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlslap mysqlbinlog mysqlsh \
    mariadb mariadb-dump mariadb-admin mycli mysqlpump mydumper xtrabackup | flags -p*
sshpass | flags -p* -p
curl curlie | flags -u~: --user~: --proxy-user~: -U~:
http https xh xhs | flags -a~: --auth~:
redis-cli valkey-cli keydb-cli | flags -a --pass | after AUTH 1
mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat | flags -p* -p
docker podman helm nerdctl buildah skopeo oras crane az oc cf ibmcloud argocd heroku \
    kubelogin bx cloudctl regctl flyctl snyk wrangler doctl jf | needs login | flags -p* -p -t \
    --creds
skopeo buildah | flags --creds~: --src-creds~: --dest-creds~:
ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd ldapcompare | flags -w* -w -s
smbclient rpcclient smbmap smbget | flags -U~% --user~%
net | needs use | any-after use
net | needs user | after user 2
net | flags -U~%
unzip zip zipcloak funzip | flags -P* -P
7z 7za 7zr 7zz rar unrar | flags -p* -hp*
openssl | flags pass:* -k -K
keytool jarsigner apksigner | flags pass:* -storepass -keypass -srcstorepass -deststorepass -new
sqlcmd bcp osql isql tsql mssql-cli | flags -P* -P
sqlplus sqlldr expdp impdp rman exp imp sqlcl | slash
vault | needs login | after login 1
htpasswd | last-with b
rabbitmqctl | after add_user 2
rabbitmqctl | after change_password 2
rabbitmqctl | after authenticate_user 2
rabbitmqadmin | flags -p
codecov codecovcli codecov-cli | flags -t
signtool | flags /p -p
rclone | after pass 1
wg | flags private-key preshared-key
lftp | flags -u~, --user~,
ncftp ncftpput ncftpget twine cqlsh cypher-shell psexec yt-dlp beeline rdesktop evil-winrm \
    bteq influx snowsql | flags -p* -p
mosquitto_pub mosquitto_sub mosquitto_rr ipmitool | flags -P
plink pscp psftp putty | flags -pw
xfreerdp wfreerdp cmdkey wmic | flags /p:* /pass:* /password:*
ssh-keygen | flags -N -P
etcdctl | flags --user~:
jenkins-cli.jar jenkins-cli | flags -auth~:
nuget | flags -k --api-key -ApiKey
mc | needs alias | after set 4
mosquitto_passwd | last-with b
wpa_passphrase | last-with
nmcli | after password 1
db2 | after using 1
useradd usermod | flags -p
kinit | flags --password=*
wget | flags --password=* --http-password=* --ftp-password=* --proxy-password=*
gpg gpg2 | flags --passphrase=* --passphrase
cargo wandb railway doppler | token login
snyk | token auth
poetry | after config 3
bw | token unlock
aws | needs SecureString | flags --value
ConvertTo-SecureString | first
gh | needs secret | flags -b* --body -b
security | needs unlock-keychain | flags -p
security | needs create-keychain | flags -p
security | needs import | flags -P
security | needs add-generic-password | flags -w
security | needs add-internet-password | flags -w
cypress | flags -k --key
schtasks sc.exe | flags /rp /p password=
winrs netdom | flags -p:* /p:* -password:* /passwordd:* /passwordo:* /pd:* /po:*
certutil pvk2pfx hydra medusa crackmapexec netexec nxc vsce ovsx racadm | flags -p -pi -po
sendemail swaks | flags -xp -ap
snmpget snmpset snmpwalk snmpbulkwalk | flags -A -X
kadmin kadmin.local | flags -w -pw
impacket-psexec impacket-wmiexec impacket-smbexec impacket-secretsdump psexec.py wmiexec.py \
    smbexec.py secretsdump.py GetUserSPNs.py | target
ngrok | after add-authtoken 1
ngrok | after authtoken 1
rclone | after obscure 1
steamcmd | after +login 2
grafana-cli | after reset-admin-password 1
consul etcdctl | needs put | named put";

pub(super) static PROGRAMS: LazyLock<Vec<Program>> =
    LazyLock::new(|| ROWS.lines().map(Program::read).collect());

impl Program {
    fn read(row: &'static str) -> Program {
        let mut cells = row.split(" | ");
        let mut program = Program {
            names: cells.next().unwrap_or_default(),
            ..Program::default()
        };
        for cell in cells {
            let (kind, rest) = cell.split_once(' ').unwrap_or((cell, ""));
            match kind {
                "needs" => program.needs = rest,
                "flags" => rest.split(' ').for_each(|flag| program.add_flag(flag)),
                _ => program.position = Position::read(kind, rest),
            }
        }
        program
    }

    fn add_flag(&mut self, flag: &'static str) {
        if let Some(attached) = flag.strip_suffix('*') {
            self.attached.push(attached);
        } else if let Some((flag, sign)) = flag.split_once('~') {
            self.pairs.push((flag, sign));
        } else {
            self.next.push(flag);
        }
    }
}

impl Position {
    fn read(kind: &str, rest: &'static str) -> Position {
        match kind {
            "after" => {
                let (word, distance) = rest.split_once(' ').unwrap_or((rest, ""));
                Position::After(word, distance.parse().unwrap_or(1))
            }
            "any-after" => Position::AnyAfter(rest),
            "last-with" => Position::LastWith(rest),
            "first" => Position::First,
            "token" => Position::Token(rest),
            "slash" => Position::Slash,
            "target" => Position::Target,
            "named" => Position::Named(rest),
            _ => Position::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PROGRAMS, Position};

    #[test]
    fn every_row_says_where_the_password_is() {
        for program in PROGRAMS.iter() {
            let flags = program.attached.len() + program.next.len() + program.pairs.len();
            let has_position = !matches!(program.position, Position::None);
            assert!(flags > 0 || has_position, "{}", program.names);
        }
    }
}

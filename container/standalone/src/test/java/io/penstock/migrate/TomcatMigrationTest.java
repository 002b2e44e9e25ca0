package io.penstock.migrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.migrate.Report.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what becomes of elements and attributes of Tomcat. */
class TomcatMigrationTest {
    @TempDir
    Path folder;

    private Path base() throws IOException {
        Files.createDirectories(folder.resolve("base/conf"));
        return folder.resolve("base");
    }

    private void write(String name, String text) throws IOException {
        Path file = base().resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static String server(String connectors, String engine) {
        return "<Server port='8005'>\n<Service name='Catalina'>\n" + connectors
                + "\n<Engine name='Catalina' defaultHost='localhost'>\n" + engine
                + "\n</Engine>\n</Service>\n</Server>\n";
    }

    private Migration migrate(String serverXml) throws IOException {
        write("conf/server.xml", serverXml);
        return Migration.run(base(), folder.resolve("new"));
    }

    private String written(String name) throws IOException {
        return Files.readString(folder.resolve("new").resolve(name));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:h2:/srv/users | NOT_POSSIBLE",
                "jdbc:h2:/srv/users;AUTO_SERVER=TRUE | MAPPED",
                "jdbc:h2:tcp://db.example/users | MAPPED",
                "jdbc:hsqldb:file:users | NOT_POSSIBLE",
                "jdbc:hsqldb:hsql://db.example/users | MAPPED",
                "jdbc:derby:users | NOT_POSSIBLE",
                "jdbc:derby://db.example/users | MAPPED",
                "jdbc:postgresql://db.example/users | MAPPED",
            })
    void aGlobalDataSourceOfAnEmbeddedDatabaseIsToDecide(String url, Outcome outcome) throws IOException {
        Migration migration = migrate(
                "<Server port='8005'><GlobalNamingResources>"
                        + "<Resource name='jdbc/users' type='javax.sql.DataSource' url='" + url + "'/>"
                        + "</GlobalNamingResources><Service name='Catalina'><Connector port='8080'/>"
                        + "<Engine name='Catalina' defaultHost='localhost'><Host name='localhost'/></Engine></Service></Server>");
        assertEquals(outcome, row(migration, "Resource:DataSource url").outcome());
        assertTrue(written("data-sources.properties").contains("jdbc/users.url = " + url + "\n"));
    }

    /** The row for an element and attribute; the test fails if there is not exactly one. */
    private static Report.Row row(Migration migration, String what) {
        List<Report.Row> rows = migration.report.rows().stream()
                .filter(row -> row.what().equals(what))
                .toList();
        assertEquals(1, rows.size(), what + " in " + migration.report.rows());
        return rows.get(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "acceptCount='50' | MAPPED | backlog = 50",
                "maxThreads='150' | MAPPED | workers = 150",
                "maxConnections='300' | MAPPED | max-connections = 300",
                "maxConnections='-1' | NOT_POSSIBLE | max-connections: there is always a limit",
                "connectionTimeout='20000' | MAPPED | head-timeout = 20s, body-stall-timeout = 20s, keep-alive-timeout"
                        + " = 20s",
                "keepAliveTimeout='15000' | MAPPED | keep-alive-timeout = 15s",
                "maxPostSize='4194304' | MAPPED | form-limit = 4194304",
                "maxPostSize='-1' | NOT_POSSIBLE | form-limit: there is always a limit",
                "maxParameterCount='1000' | MAPPED | max-parameters = 1000",
                "maxHttpHeaderSize='16384' | MAPPED | header-bytes-limit = 16384, request-line-limit = 16384",
                "compression='on' | MAPPED | compression = on",
                "compressibleMimeType='text/html,text/css' | MAPPED | compression-types = text/html, text/css",
                "allowTrace='true' | MAPPED | trace-method = on",
                "URIEncoding='UTF-8' | NOT_NEEDED | URLs are UTF-8",
                "URIEncoding='ISO-8859-1' | NOT_POSSIBLE | URLs are UTF-8; change",
                "redirectPort='8443' | NOT_POSSIBLE | a request without TLS",
                "enableLookups='true' | NOT_POSSIBLE | names of clients",
                "minSpareThreads='10' | NOT_NEEDED | workers start",
                "server='Acme' | MAPPED | /* Server: Acme",
                "scheme='https' | NOT_POSSIBLE | behind a proxy with TLS",
                "maxThreads='${threads}' | NOT_POSSIBLE | ${threads} has no value in catalina.properties and setenv.sh",
                "asyncTimeout='-1' | MAPPED | async-timeout = 0s",
                "allowBackslash='false' | NOT_NEEDED | a backslash",
                "allowBackslash='true' | NOT_POSSIBLE | a backslash",
                "maxThreads='${threads:-12}' | MAPPED | workers = 12",
                "maxTreads='150' | UNKNOWN | this version does not know it",
                "socket.soReuseAddress='true' | NOT_NEEDED | the operating system",
                "address='192.0.2.1' | MAPPED | the listener http://192.0.2.1:8080",
            })
    void anAttributeOfAConnectorHasOneRowWithItsKeyOrReason(String attribute, Outcome outcome, String text)
            throws IOException {
        Migration migration = migrate(server("<Connector port='8080' " + attribute + "/>", ""));
        Report.Row row = row(migration, "Connector " + attribute.substring(0, attribute.indexOf('=')));
        assertEquals(outcome, row.outcome(), row.text());
        assertTrue(row.text().startsWith(text), row.text());
        assertEquals("conf/server.xml:3", row.where());
        Matcher key = Pattern.compile("([a-z0-9-]+) = ([^,]+)").matcher(text);
        while (outcome == Outcome.MAPPED && !text.startsWith("/") && key.find()) {
            assertTrue(written("penstock.properties").contains(key.group() + "\n")
                    || written("penstock.properties").contains(text + "\n"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<Valve className='org.apache.catalina.valves.RemoteIpValve' internalProxies='10\\.0\\.0\\.\\d+'/> |"
                        + " trusted-proxies = 10.0.0.0/24",
                "<Valve className='org.apache.catalina.valves.RemoteAddrValve' allow='127\\.\\d+\\.\\d+\\.\\d+,::1'/>"
                        + " | allowed-addresses = 127.0.0.0/8,::1",
                "<Valve className='org.apache.catalina.valves.RemoteCIDRValve' deny='192.0.2.0/24'/> |"
                        + " denied-addresses = 192.0.2.0/24",
                "<Valve className='org.apache.catalina.valves.StuckThreadDetectionValve'"
                        + " interruptThreadThreshold='60'/> | service-timeout = 60s",
                "<Valve className='org.apache.catalina.valves.ExtendedAccessLogValve' pattern='date time c-ip"
                        + " sc-status bytes'/> | access-log-format = date time c-ip sc-status sc-bytes",
                "<Valve className='org.apache.catalina.valves.JsonAccessLogValve'/> | access-log-format = json",
                "<Valve className='org.apache.catalina.valves.AccessLogValve' pattern='combined %{X-Id}o'/> |"
                        + " access-log-format = combined sc(X-Id)",
                "<Valve className='org.apache.catalina.valves.AccessLogValve' condition='quiet'/> | access-log-unless ="
                        + " x-attribute(quiet)",
                "<Valve className='org.apache.catalina.valves.AccessLogValve' conditionUnless='quiet'/> |"
                        + " access-log-unless = x-attribute(quiet)",
                "<Valve className='org.apache.catalina.valves.AccessLogValve' conditionIf='audit'/> | access-log-if ="
                        + " x-attribute(audit)",
                "<Realm className='org.apache.catalina.realm.LockOutRealm' failureCount='5' lockOutTime='300'/> |"
                        + " login-lockout = 300s",
            })
    void anElementOfTheEngineSetsAKeyOfTheServer(String element, String line) throws IOException {
        Migration migration = migrate(server("", element));
        assertTrue(written("penstock.properties").contains(line + "\n"), written("penstock.properties"));
        assertEquals(List.of(), migration.report.rows(Outcome.UNKNOWN));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<Valve className='org.apache.catalina.valves.rewrite.RewriteValve'/> | Valve:RewriteValve |"
                        + " NOT_POSSIBLE",
                "<Valve className='org.apache.catalina.valves.HealthCheckValve'/> | Valve:HealthCheckValve |"
                        + " NOT_POSSIBLE",
                "<Valve className='org.apache.catalina.valves.SSLValve'/> | Valve:SSLValve | NOT_POSSIBLE",
                "<Valve className='org.apache.catalina.valves.ErrorReportValve' showReport='false'/> |"
                        + " Valve:ErrorReportValve | MAPPED",
                "<Valve className='org.apache.catalina.authenticator.SingleSignOn'/> | Valve:SingleSignOn |"
                        + " NOT_POSSIBLE",
                "<Valve className='com.example.OwnValve' depth='3'/> | Valve:OwnValve | NOT_POSSIBLE",
                "<Valve className='org.apache.catalina.valves.NewValve'/> | Valve:NewValve | UNKNOWN",
                "<Cluster"
                        + " className='org.apache.catalina.ha.tcp.SimpleTcpCluster'><Channel><Sender/></Channel></Cluster>"
                        + " | Cluster:SimpleTcpCluster | NOT_POSSIBLE",
                "<Realm className='org.apache.catalina.realm.JNDIRealm' userPattern='uid={0}'/> | Realm:JNDIRealm |"
                        + " NOT_POSSIBLE",
                "<Walve/> | Walve | UNKNOWN",
            })
    void anElementThatHasNoKeyIsToldWithTheReason(String element, String what, Outcome outcome) throws IOException {
        assertEquals(outcome, row(migrate(server("", element)), what).outcome());
    }

    @Test
    void theAccessLogOfAContextBecomesThatOfTheApplication() throws IOException {
        write("webapps/shop/WEB-INF/web.xml", "<web-app/>");
        write(
                "webapps/shop/META-INF/context.xml",
                "<Context><Valve className='org.apache.catalina.valves.AccessLogValve' directory='logs' prefix='shop'"
                        + " suffix='.log' pattern='%s %S' conditionUnless='quiet'/></Context>");
        String valve = "<Valve className='org.apache.catalina.valves.AccessLogValve' pattern='common'/>";
        Migration migration = migrate(server("", "<Host name='localhost' appBase='webapps'>" + valve + "</Host>"));
        String properties = written("penstock.properties");
        Path file = folder.resolve("new/logs/shop.log");
        assertTrue(properties.contains("/shop:access-log = " + file + "\n"), properties);
        assertTrue(properties.contains("access-log-unless = x-attribute(quiet)\n"), properties);
        assertTrue(properties.contains("access-log-format = common\n"), properties);
        List<Report.Row> patterns = migration.report.rows().stream()
                .filter(row -> row.what().equals("Valve:AccessLogValve pattern"))
                .toList();
        assertEquals(2, patterns.size(), patterns.toString());
        assertTrue(patterns.stream().anyMatch(row -> row.outcome() == Outcome.MAPPED), patterns.toString());
        assertTrue(patterns.stream().anyMatch(row -> row.outcome() == Outcome.NOT_POSSIBLE), patterns.toString());
        assertEquals(List.of(), migration.report.rows(Outcome.UNKNOWN));
    }

    @Test
    void thePagesOfErrorReportValveBecomePagesOfTheServer() throws IOException {
        write("conf/404.html", "<p>gone</p>");
        write("conf/any.html", "<p>sorry</p>");
        String valve = "<Valve className='org.apache.catalina.valves.ErrorReportValve' errorCode.404='conf/404.html'"
                + " errorCode.0='conf/any.html' errorCode.500='conf/none.html' errorCode.302='conf/404.html'"
                + " showReport='false' showServerInfo='false'/>";
        Migration migration = migrate(server("", "<Host name='localhost' appBase='webapps'>" + valve + "</Host>"));
        Path pages = folder.resolve("new/error-pages");
        assertTrue(
                written("penstock.properties").contains("error-pages = " + pages + "\n"),
                written("penstock.properties"));
        assertEquals("<p>gone</p>", Files.readString(pages.resolve("404.html")));
        assertEquals("<p>sorry</p>", Files.readString(pages.resolve("4xx.html")));
        assertEquals("<p>sorry</p>", Files.readString(pages.resolve("5xx.html")));
        String kind = "Valve:ErrorReportValve ";
        assertEquals(Outcome.MAPPED, row(migration, kind + "errorCode.404").outcome());
        assertEquals(Outcome.MAPPED, row(migration, kind + "errorCode.0").outcome());
        assertEquals(
                Outcome.NOT_POSSIBLE, row(migration, kind + "errorCode.500").outcome());
        assertEquals(
                Outcome.NOT_POSSIBLE, row(migration, kind + "errorCode.302").outcome());
        assertEquals(Outcome.MAPPED, row(migration, kind + "showReport").outcome());
    }

    @Test
    void anAjpConnectorIsNotPossible() throws IOException {
        Migration migration = migrate(server("<Connector protocol='AJP/1.3' port='8009' secret='x'/>", ""));
        assertEquals(Outcome.NOT_POSSIBLE, row(migration, "Connector").outcome());
        assertEquals("…", row(migration, "Connector secret").value());
    }

    @Test
    void twoConnectorsBecomeListenersAndAKeyThatTheyShareHasTheFirstValue() throws IOException {
        Migration migration = migrate(server(
                "<Connector port='8080' maxThreads='100'/>\n"
                        + "<Connector port='8443' SSLEnabled='true' maxThreads='200'><SSLHostConfig"
                        + " protocols='TLSv1.2+TLSv1.3' certificateVerification='required' truststoreFile='conf/ca.p12'"
                        + " truststorePassword='hush'><Certificate certificateFile='conf/c.pem'"
                        + " certificateKeyFile='conf/k.pem'/></SSLHostConfig><UpgradeProtocol"
                        + " className='org.apache.coyote.http2.Http2Protocol'/></Connector>",
                ""));
        String properties = written("penstock.properties");
        for (String line : List.of(
                "listen = http://:8080,https://:8443",
                "workers = 100",
                "tls-protocols = TLSv1.3,TLSv1.2",
                "tls-client-auth = need",
                "tls-trust = " + base().resolve("conf/ca.p12"),
                "tls-trust-password = hush",
                "tls-cert = " + base().resolve("conf/c.pem"),
                "tls-key = " + base().resolve("conf/k.pem"),
                "http2 = on")) {
            assertTrue(properties.contains(line + "\n"), line + " in " + properties);
        }
        assertTrue(
                migration.report.rows(Outcome.NOT_POSSIBLE).stream()
                        .anyMatch(row -> row.what().equals("Connector maxThreads")
                                && row.text().contains("the server has one workers")),
                migration.toDecide().toString());
        assertFalse(written("report.md").contains("hush"));
    }

    @Test
    void aKeyStoreWithoutAPasswordHasTheOneOfTomcat() throws IOException {
        migrate(server(
                "<Connector port='8443' SSLEnabled='true' keystoreFile='conf/keys.p12' clientAuth='want'/>", ""));
        String properties = written("penstock.properties");
        assertTrue(properties.contains("tls-keystore = " + base().resolve("conf/keys.p12") + "\n"), properties);
        assertTrue(properties.contains("tls-key-password = changeit\n"), properties);
        assertTrue(properties.contains("tls-client-auth = want\n"), properties);
        assertTrue(properties.contains("listen = https://:8443\n") || properties.contains("port = 8443\n"), properties);
    }

    @Test
    void eachAttributeOfEachElementHasExactlyOneRow() throws IOException {
        String xml = "<Server port='8005' shutdown='SHUTDOWN' odd='1'>\n"
                + "<GlobalNamingResources><Environment name='n' type='java.lang.Integer' value='1' odd='1'/><Resource"
                + " name='jdbc/a' type='javax.sql.DataSource' url='jdbc:h2:mem:a' maxTotal='-1'"
                + " odd='1'/></GlobalNamingResources><Service name='s' odd='1'><Executor name='e' maxThreads='5'"
                + " odd='1'/><Connector port='0' executor='e' odd='1' maxThreads='9'/><Engine name='Catalina'"
                + " odd='1'><Realm className='org.apache.catalina.realm.CombinedRealm' odd='1'><Realm"
                + " className='org.apache.catalina.realm.NullRealm' odd='1'/></Realm><Host name='localhost'"
                + " appBase='webapps' odd='1'><Alias odd='1'>a</Alias><Context path='/x' docBase='none' odd='1'><Manager"
                + " odd='1'><Store className='org.apache.catalina.session.FileStore' odd='1'/></Manager><CookieProcessor"
                + " sameSiteCookies='lax' odd='1'/><JarScanner odd='1'><JarScanFilter odd='1'/></JarScanner><ResourceLink"
                + " name='l' global='n' odd='1'/><Parameter name='p' value='v' odd='1'/></Context><Valve"
                + " className='org.apache.catalina.valves.AccessLogValve' odd='1'/></Host></Engine></Service></Server>";
        Migration migration = migrate(xml);
        Matcher attribute = Pattern.compile(" [A-Za-z]+='").matcher(xml);
        long attributes = attribute.results().count();
        long elements = Pattern.compile("<[A-Z]").matcher(xml).results().count();
        List<String> rows = migration.report.rows().stream()
                .filter(row -> row.file().equals("conf/server.xml"))
                .map(row -> row.what())
                .toList();
        assertEquals(attributes + elements, rows.size(), rows.toString());
        assertEquals(
                Pattern.compile("odd=").matcher(xml).results().count() - 1, // that of NullRealm is as its element
                migration.report.rows(Outcome.UNKNOWN).size(),
                migration.report.rows(Outcome.UNKNOWN).toString());
    }

    @Test
    void anExternalEntityIsNeitherReadNorReplaced() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "hush");
        String xml = "<!DOCTYPE Server [<!ENTITY e SYSTEM '" + secret.toUri() + "'>]>\n"
                + server("<Connector port='8080'/>", "<Host name='a'><Alias>&e;</Alias></Host>");
        IOException refused = assertThrows(IOException.class, () -> migrate(xml));
        assertFalse(String.valueOf(refused.getMessage()).contains("hush"));
        assertFalse(Files.exists(folder.resolve("new")));
    }

    @Test
    void aFolderWithFilesIsNotOverwritten() throws IOException {
        Files.writeString(Files.createDirectory(folder.resolve("new")).resolve("mine"), "");
        IOException refused = assertThrows(IOException.class, () -> migrate(server("", "")));
        assertTrue(String.valueOf(refused.getMessage()).endsWith("not empty"), refused.getMessage());
    }

    @Test
    void usersGetHashesAndTheRolesOfTheirGroups() throws IOException {
        write(
                "conf/tomcat-users.xml",
                "<tomcat-users><role rolename='staff'/><group groupname='g' roles='admin'/>"
                        + "<user username='ann' password='open sesame' roles='staff,clerk' groups='g'/>"
                        + "<user username='b:en' password='x' roles='staff'/></tomcat-users>");
        Migration migration =
                migrate("<Server><GlobalNamingResources><Resource name='U' type='org.apache.catalina.UserDatabase'"
                        + " pathname='conf/tomcat-users.xml'/></GlobalNamingResources><Service><Engine><Realm"
                        + " className='org.apache.catalina.realm.LockOutRealm'><Realm"
                        + " className='org.apache.catalina.realm.UserDatabaseRealm'"
                        + " resourceName='U'/></Realm></Engine></Service></Server>");
        String users = written("users");
        assertTrue(users.contains("\nann:$pbkdf2-sha512$210000$"), users);
        assertTrue(users.contains(":staff, clerk, admin\n"), users);
        assertFalse(users.contains("b:en"), users);
        assertFalse((users + written("report.md")).contains("sesame"));
        assertTrue(migration.toDecide().stream().anyMatch(line -> line.contains("has no colon")));
    }

    @Test
    void hashesOfPasswordsStayWithTheirAlgorithm() throws IOException {
        String hash = "6d1adefce9895205$3$562ab1110380853ce52017f527ec8dd5941098095f8660f164bc50908d777109";
        write(
                "conf/tomcat-users.xml",
                "<tomcat-users><user username='ann' password='" + hash
                        + "' roles='staff'/><user username='bob' password='{SSHA}8NxOATAC1mV+DVvODKm/fEXIuXEBAgMEBQ=='"
                        + " roles='staff'/></tomcat-users>");
        Migration migration = migrate(server(
                "",
                "<Realm className='org.apache.catalina.realm.MemoryRealm'><CredentialHandler"
                        + " className='org.apache.catalina.realm.MessageDigestCredentialHandler'"
                        + " algorithm='SHA-256' iterations='3'/></Realm>"));
        assertEquals(
                List.of(Outcome.MAPPED, Outcome.MAPPED),
                migration.report.rows().stream()
                        .filter(row -> row.what().equals("user password"))
                        .map(Report.Row::outcome)
                        .toList());
        assertTrue(written("users").contains("\nann:{SHA-256}" + hash + ":staff\n"), written("users"));
        assertTrue(written("users").contains("\nbob:{SSHA}8NxOA"), written("users"));
        assertFalse(written("report.md").contains(hash));
    }

    @Test
    void theAddressesOfAnApplicationAreItsOwn() throws IOException {
        write("webapps/office/WEB-INF/web.xml", "<web-app/>");
        write(
                "webapps/office/META-INF/context.xml",
                "<Context><Valve className='org.apache.catalina.valves.RemoteAddrValve'"
                        + " allow='127\\.\\d+\\.\\d+\\.\\d+|::1'/></Context>");
        write(
                "conf/context.xml",
                "<Context><Valve className='org.apache.catalina.valves.RemoteCIDRValve' allow='10.0.0.0/8'/></Context>");
        Migration migration = migrate(server("", "<Host name='localhost' appBase='webapps'/>"));
        assertEquals(
                Outcome.MAPPED, row(migration, "Valve:RemoteAddrValve allow").outcome());
        String properties = written("penstock.properties");
        assertTrue(properties.contains("/office:allowed-addresses"), properties);
        assertEquals(
                Outcome.NOT_POSSIBLE,
                row(migration, "Valve:RemoteCIDRValve allow").outcome());
        assertTrue(properties.contains("127.0.0.0/8"), properties);
    }

    @Test
    void theQueryForPasswordsAddsTheAlgorithm() throws IOException {
        Migration migration =
                migrate("<Server><GlobalNamingResources><Resource name='jdbc/users' type='javax.sql.DataSource'"
                        + " url='jdbc:h2:mem:users'/></GlobalNamingResources><Service><Engine><Realm"
                        + " className='org.apache.catalina.realm.DataSourceRealm' dataSourceName='jdbc/users'"
                        + " userCredCol='pass'><CredentialHandler"
                        + " className='org.apache.catalina.realm.SecretKeyCredentialHandler'/></Realm></Engine>"
                        + "</Service></Server>");
        assertEquals(
                Outcome.MAPPED,
                row(migration, "Realm:DataSourceRealm userCredCol").outcome());
        String properties = written("penstock.properties");
        assertTrue(
                properties.contains(
                        "select concat('{PBKDF2WithHmacSHA1}', pass) from users where user_name = ? and pass is not null"),
                properties);
    }

    @Test
    void aDirectoryThatIsSearchedBecomesKeys() throws IOException {
        Migration migration = migrate(server(
                "",
                "<Realm className='org.apache.catalina.realm.JNDIRealm'"
                        + " connectionURL='ldap://a.example.org:389/dc=example,dc=org'"
                        + " alternateURL='ldap://b.example.org/dc=example,dc=org' connectionName='cn=x'"
                        + " connectionPassword='hush' userBase='ou=people' userSearch='uid={0}' userSubtree='true'"
                        + " userRoleName='memberOf' roleBase='ou=groups' roleName='cn'"
                        + " roleSearch='(uniqueMember={0})' roleNested='true' commonRole='all' useStartTls='true'"
                        + " connectionTimeout='5000' readTimeout='2500' derefAliases='never' adCompat='true'"
                        + " odd='1'/>"));
        String properties = written("penstock.properties");
        for (String line : List.of(
                "realm-ldap-url = ldap://a.example.org:389,ldap://b.example.org",
                "realm-ldap-user = cn=x",
                "realm-ldap-password = hush",
                "realm-ldap-user-base = ou=people,dc=example,dc=org",
                "realm-ldap-user-filter = (uid={0})",
                "realm-ldap-user-subtree = on",
                "realm-ldap-user-roles = memberOf",
                "realm-ldap-role-base = ou=groups,dc=example,dc=org",
                "realm-ldap-role-filter = (uniqueMember={0})",
                "realm-ldap-role-name = cn",
                "realm-ldap-role-subtree = off",
                "realm-ldap-start-tls = on",
                "realm-ldap-connect-timeout = 5s",
                "realm-ldap-read-timeout = 2500ms")) {
            assertTrue(properties.contains(line + "\n"), line + " in " + properties);
        }
        for (String attribute : List.of("roleNested", "commonRole", "derefAliases")) {
            assertEquals(
                    Outcome.NOT_POSSIBLE,
                    row(migration, "Realm:JNDIRealm " + attribute).outcome());
        }
        assertEquals(Outcome.MAPPED, row(migration, "Realm:JNDIRealm").outcome());
        assertEquals(
                List.of("Realm:JNDIRealm odd"),
                migration.report.rows(Outcome.UNKNOWN).stream()
                        .map(Report.Row::what)
                        .toList());
        assertFalse(written("report.md").contains("hush"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "uid={0},ou=a,dc=b           | uid={0},ou=a,dc=b",
                "(uid={0},ou=a)(uid={0},o=b) | uid={0},ou=a;uid={0},o=b",
            })
    void thePatternsOfADirectoryBecomeOneKey(String pattern, String value) throws IOException {
        Migration migration = migrate(server(
                "",
                "<Realm className='org.apache.catalina.realm.LockOutRealm'><Realm"
                        + " className='org.apache.catalina.realm.JNDIRealm' protocol='ssl'"
                        + " connectionURL='ldap://a.example.org' userPattern='" + pattern
                        + "' userSubtree='true' roleName='cn'/></Realm>"));
        String properties = written("penstock.properties");
        assertTrue(properties.contains("realm-ldap-url = ldaps://a.example.org\n"), properties);
        assertTrue(properties.contains("realm-ldap-user-pattern = " + value + "\n"), properties);
        assertFalse(properties.contains("realm-ldap-role"), properties);
        assertEquals(List.of(), migration.report.rows(Outcome.NOT_POSSIBLE));
    }

    @Test
    void hashesOfPasswordsAreNotTakenForPasswords() throws IOException {
        write(
                "conf/tomcat-users.xml",
                "<tomcat-users><user username='ann' password='5f4dcc3b' roles='staff'/></tomcat-users>");
        Migration migration = migrate(server(
                "",
                "<Realm className='org.apache.catalina.realm.MemoryRealm'><CredentialHandler"
                        + " className='org.apache.catalina.realm.MessageDigestCredentialHandler'"
                        + " algorithm='SHA-256'/></Realm>"));
        assertEquals(Outcome.NOT_POSSIBLE, row(migration, "user password").outcome());
        assertTrue(written("users").contains("# ann::staff"), written("users"));
    }

    @Test
    void theContextsOfTheServerAndOfApplicationsBecomeSettingsAndOverrides() throws IOException {
        write("webapps/shop/WEB-INF/web.xml", "<web-app/>");
        write(
                "webapps/shop/META-INF/context.xml",
                "<Context sessionCookieName='SHOP' useHttpOnly='false' usePartitioned='true' cookies='false'"
                        + " sessionCookieDomain='.example.org'><Parameter name='mail.host'"
                        + " value='smtp.example.org'/><Environment name='limit' type='java.lang.Integer'"
                        + " value='7'/><Environment name='word' value='hi'/><Environment name='own.password' value='hush7'/><ResourceLink name='own' global='max'"
                        + " type='java.lang.Long'/><Resources><PostResources base='/srv/lib'"
                        + " className='org.apache.catalina.webresources.DirResourceSet'"
                        + " webAppMount='/WEB-INF/lib'/></Resources><Resource name='jdbc/db' type='javax.sql.DataSource' url='jdbc:h2:mem:shop'"
                        + " username='sa' password='hush7' maxTotal='20' maxWaitMillis='10500'"
                        + " testOnBorrow='true'/><ResourceLink name='jdbc/all' global='jdbc/shared'"
                        + " type='javax.sql.DataSource'/></Context>");
        write("webapps/files/index.html", "hello");
        write(
                "conf/context.xml",
                "<Context><CookieProcessor sameSiteCookies='strict'/><Environment name='word'"
                        + " type='java.lang.Boolean' value='true'/></Context>");
        write(
                "conf/Catalina/localhost/stock.xml",
                "<Context docBase='" + base().resolve("elsewhere") + "'>"
                        + "<Resource name='jdbc/db' type='javax.sql.DataSource' url='jdbc:h2:mem:stock'/></Context>");
        write("elsewhere/WEB-INF/web.xml", "<web-app/>");
        Migration migration =
                migrate("<Server><GlobalNamingResources><Environment name='max' type='java.lang.Long' value='99'/>"
                        + "<Resource name='jdbc/shared' type='javax.sql.DataSource'"
                        + " url='jdbc:postgresql://db/shared'"
                        + " driverClassName='org.postgresql.Driver'/></GlobalNamingResources><Service><Connector"
                        + " port='0'/><Engine><Host name='localhost' appBase='webapps'/></Engine></Service></Server>");
        String properties = written("penstock.properties");
        for (String line : List.of(
                "/shop:session-cookie-name = SHOP",
                "/shop:context-param.mail.host = smtp.example.org",
                "/shop:session-cookie-same-site = strict",
                "/shop:session-cookie-domain = example.org",
                "/shop:session-cookie-http-only = off",
                "/shop:session-cookie-partitioned = on",
                "/shop:session-tracking = url",
                "/shop:env.limit = 7",
                "/shop:env-type.limit = java.lang.Integer",
                "/shop:env.word = hi",
                "/stock:env.word = true",
                "/stock:env-type.word = java.lang.Boolean",
                "/shop:env.own.password = hush7",
                "/shop:env.own = 99",
                "/shop:env-type.own = java.lang.Long",
                "/shop:libraries = /srv/lib",
                "/stock:session-cookie-same-site = strict",
                "/files:session-cookie-same-site = strict",
                "webapps = " + base().resolve("webapps"),
                "cross-context = refuse")) {
            assertTrue(properties.contains(line + "\n"), line + " in " + properties);
        }
        assertFalse(properties.contains("/shop:env-type.word"), properties);
        String sources = written("data-sources.properties");
        for (String line : List.of(
                "jdbc/shared.class = org.postgresql.Driver",
                "jdbc/db.max-connections = 20",
                "jdbc/db.connection-timeout = 11s",
                "jdbc/db2.url = jdbc:h2:mem:")) {
            assertTrue(sources.contains(line), line + " in " + sources);
        }
        String override = written("web-shop.xml");
        assertFalse(override.contains("<env-entry>") || override.contains("<session-config>"), override);
        assertTrue(override.contains("<lookup-name>java:global/jdbc/shared</lookup-name>"), override);
        assertFalse(written("report.md").contains("hush7"), "a password is in the report");
        assertTrue(written("arguments").contains("/stock=" + base().resolve("elsewhere")), written("arguments"));
        assertTrue(written("arguments").contains("/files="), written("arguments"));
        assertEquals(List.of(), migration.report.rows(Outcome.UNKNOWN));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "shared.loader=\"${catalina.base}/shared\",\"${catalina.base}/shared/*.jar\" | MAPPED | /shared",
                "common.loader=\"${catalina.home}/lib/*.jar\",/srv/lib/*.jar | MAPPED | /srv/lib",
                "common.loader=\"${catalina.base}/lib\",\"${catalina.home}/lib/*.jar\" | NOT_NEEDED | ``",
                "shared.loader=/srv/a/*.jar,/srv/b/*.jar | NOT_POSSIBLE | ``",
                "shared.loader=/srv/a/one.jar | NOT_POSSIBLE | ``",
                "server.loader=/srv/a/*.jar | NOT_POSSIBLE | ``",
            })
    void aFolderOfLibrariesForAllApplicationsBecomesAKey(String line, Outcome outcome, String folder)
            throws IOException {
        write("conf/catalina.properties", line + "\n");
        Migration migration = migrate(server("", ""));
        Report.Row row = row(migration, line.substring(0, line.indexOf('=')));
        assertEquals(outcome, row.outcome(), row.text());
        String key = "shared-libraries = " + (folder.startsWith("/srv") ? "" : base()) + folder + "\n";
        assertEquals(outcome == Outcome.MAPPED, written("penstock.properties").contains(key), row.text());
    }

    @Test
    void otherResourcesOutsideOfAnApplicationAreNotPossible() throws IOException {
        write("webapps/shop/WEB-INF/web.xml", "<web-app/>");
        write(
                "webapps/shop/META-INF/context.xml",
                "<Context><Resources><PreResources base='/srv/files'"
                        + " className='org.apache.catalina.webresources.DirResourceSet' webAppMount='/files'/>"
                        + "<JarResources base='/srv/a.jar'"
                        + " className='org.apache.catalina.webresources.JarResourceSet'/></Resources></Context>");
        Migration migration = migrate(server("", "<Host name='localhost' appBase='webapps'/>"));
        for (String what : List.of("PreResources", "JarResources")) {
            assertEquals(Outcome.NOT_POSSIBLE, row(migration, what).outcome(), what);
        }
        assertFalse(written("penstock.properties").contains("libraries"));
    }

    @Test
    void aRuleForNamesOfClientsIsToldAsALoss() throws IOException {
        Files.createDirectories(base().resolve("webapps"));
        try (ZipOutputStream war = new ZipOutputStream(Files.newOutputStream(base().resolve("webapps/intern.war")))) {
            war.putNextEntry(new ZipEntry("META-INF/context.xml"));
            war.write(
                    "<Context><Valve className='org.apache.catalina.valves.RemoteHostValve' allow='a.example.org'/></Context>"
                            .getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        Migration migration = migrate(server("", "<Host name='localhost' appBase='webapps'/>"));
        assertTrue(
                row(migration, "Valve:RemoteHostValve").text().startsWith("EVERY CLIENT REACHES"),
                migration.toDecide().toString());
    }

    @Test
    void hostsOtherThanTheDefaultAreInTheArgumentsWithTheirAliases() throws IOException {
        write("sites/ROOT/WEB-INF/web.xml", "<web-app/>");
        write("sites/a#b/WEB-INF/web.xml", "<web-app/>");
        Files.createDirectories(base().resolve("webapps"));
        migrate(server(
                "",
                "<Host name='localhost' appBase='webapps'/>"
                        + "<Host name='WWW.example.org' appBase='sites'><Alias>example.org</Alias></Host>"));
        String arguments = written("arguments");
        for (String location :
                List.of("//www.example.org/=", "//example.org/=", "//www.example.org/a/b=", "//example.org/a/b=")) {
            assertTrue(arguments.contains(location), location + " in " + arguments);
        }
    }

    @Test
    void theManagerIsLeftOutAndTheFolderIsNotServedWhole() throws IOException {
        write("webapps/manager/WEB-INF/web.xml", "<web-app/>");
        write("webapps/ROOT/WEB-INF/web.xml", "<web-app/>");
        migrate(server("", "<Host name='localhost' appBase='webapps'/>"));
        assertFalse(written("penstock.properties").contains("\nwebapps ="));
        assertTrue(written("arguments").contains("/=" + base().resolve("webapps/ROOT")));
        assertFalse(written("arguments").contains("manager"));
    }

    @Test
    void whatTomcatsWebXmlSaysForAllApplicationsBecomesKeysAndRules() throws IOException {
        write(
                "webapps/shop/WEB-INF/web.xml",
                "<web-app><filter><filter-name>cors</filter-name>"
                        + "<filter-class>org.apache.catalina.filters.CorsFilter</filter-class></filter></web-app>");
        write("conf/web.xml", """
                <web-app>
                  <request-character-encoding>UTF-8</request-character-encoding>
                  <servlet>
                    <servlet-name>default</servlet-name>
                    <servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class>
                    <init-param><param-name>listings</param-name><param-value>true</param-value></init-param>
                    <init-param><param-name>readonly</param-name><param-value>false</param-value></init-param>
                  </servlet>
                  <filter>
                    <filter-name>headers</filter-name>
                    <filter-class>org.apache.catalina.filters.HttpHeaderSecurityFilter</filter-class>
                    <init-param><param-name>hstsMaxAgeSeconds</param-name><param-value>3600</param-value></init-param>
                  </filter>
                  <session-config><session-timeout>45</session-timeout></session-config>
                  <mime-mapping><extension>a</extension><mime-type>b/c</mime-type></mime-mapping>
                  <listener><listener-class>com.example.Shared</listener-class></listener>
                </web-app>
                """);
        Migration migration = migrate(server("", "<Host name='localhost' appBase='webapps'/>"));
        String properties = written("penstock.properties");
        for (String line : List.of(
                "request-encoding = UTF-8", "session-timeout = 45m", "/shop:directory-listing = on", "hsts = 3600s")) {
            assertTrue(properties.contains(line + "\n"), line + " in " + properties);
        }
        assertEquals("/* X-Frame-Options: DENY\n/* X-Content-Type-Options: nosniff\n", written("response-rules"));
        assertEquals(
                Outcome.NOT_POSSIBLE, row(migration, "default servlet readonly").outcome());
        assertEquals(Outcome.NOT_POSSIBLE, row(migration, "<listener>").outcome());
        assertEquals(Outcome.NOT_NEEDED, row(migration, "<mime-mapping>").outcome());
        assertTrue(row(migration, "<filter> cors").text().contains("Access-Control-Allow-Origin"));
    }

    @Test
    void theEnvironmentAndThePropertiesOfTheJvmAreKept() throws IOException {
        write("bin/setenv.sh", """
                #!/bin/sh
                # memory
                export CATALINA_OPTS="$CATALINA_OPTS -Xmx512m -Dhttp.port=9080 -Djava.util.logging.config.file=x"
                JAVA_OPTS='-Dgreeting=hello'
                CATALINA_PID=/run/tomcat.pid
                export TZ=UTC
                ulimit -n 10000
                """);
        write(
                "conf/catalina.properties",
                "package.access=sun.\n"
                        + "common.loader=\"${catalina.base}/lib\",\"${catalina.base}/lib/*.jar\"\n"
                        + "tomcat.util.scan.StandardJarScanFilter.jarsToSkip=\\\n"
                        + "ant-*.jar,\\\n"
                        + "asm-*.jar\n"
                        + "own.name=value\n"
                        + "some.new.key=1\n");
        Migration migration = migrate(server("<Connector port='${http.port}'/>", ""));
        assertTrue(written("penstock.properties").contains("port = 9080\n"));
        assertTrue(written("penstock.properties").contains("exclude-scan = ant-*.jar,asm-*.jar\n"));
        String options = written("java-options");
        assertTrue(options.contains("-Xmx512m\n"), options);
        assertTrue(options.contains("-Dgreeting=hello\n"), options);
        assertTrue(options.contains("-Down.name=value\n"), options);
        assertFalse(options.contains("logging.config"), options);
        assertEquals(Outcome.UNKNOWN, row(migration, "command").outcome());
        assertEquals("bin/setenv.sh:7", row(migration, "command").where());
        assertEquals(Outcome.NOT_NEEDED, row(migration, "CATALINA_PID").outcome());
        assertTrue(
                migration.startCommand().contains("@" + folder.resolve("new/java-options")), migration.startCommand());
    }

    @Test
    void aParameterMayHaveANameWithCharactersThatEndAKey() throws IOException {
        write("webapps/shop/WEB-INF/web.xml", "<web-app/>");
        write("conf/context.xml", "<Context><Parameter name='urn:a = b' value='c'/></Context>");
        migrate(server("", "<Host name='localhost' appBase='webapps'/>"));
        assertTrue(written("penstock.properties").contains("/shop:context-param.urn\\:a\\ \\=\\ b = c\n"));
    }

    @Test
    void propertiesOfTheFileOverrideThoseOfTheScriptAndMayNameOthers() throws IOException {
        write("bin/setenv.sh", "CATALINA_OPTS='-Dhttp.port=9080'\n");
        write("conf/catalina.properties", "http.port=7${end.of.port}\nend.of.port=070\nitself=a${itself}\n");
        Migration migration = migrate(server("<Connector port='${http.port}' server='${itself}'/>", ""));
        assertTrue(written("penstock.properties").contains("port = 7070\n"));
        assertEquals(Outcome.NOT_POSSIBLE, row(migration, "Connector server").outcome());
    }

    @Test
    void aPortThatIsNotKnownIsToldAndTheOtherAttributesAreMapped() throws IOException {
        Migration migration = migrate(server(
                "<Connector port='${web.port}' address='192.0.2.1' maxThreads='7'/>\n<Connector port='PORT'/>", ""));
        List<String> ports = migration.report.rows().stream()
                .filter(row -> row.what().equals("Connector port"))
                .map(row -> row.outcome() + ": " + row.text().substring(0, 11))
                .toList();
        assertEquals(List.of("not possible: ${web.port}", "not possible: 'PORT' is n"), ports);
        assertTrue(written("penstock.properties").contains("workers = 7\n"));
        assertFalse(written("penstock.properties").contains("listen ="));
    }

    @Test
    void aServerWithAjpOnlySpeaksHttpAtItsAddress() throws IOException {
        Migration migration = migrate(server(
                "<Connector protocol='AJP/1.3' port='8009' redirectPort='8443' tomcatAuthentication='false'/>", ""));
        String properties = written("penstock.properties");
        assertTrue(properties.contains("host = 127.0.0.1\n") && properties.contains("port = 8009\n"), properties);
        assertEquals(Outcome.NOT_POSSIBLE, row(migration, "Connector").outcome());
        assertEquals(Outcome.MAPPED, row(migration, "Connector port").outcome());
        assertTrue(row(migration, "Connector tomcatAuthentication").text().startsWith("the server takes no user"));
    }

    @Test
    void aFurtherServiceIsForASecondServer() throws IOException {
        write("webapps/shop/WEB-INF/web.xml", "<web-app/>");
        write("intern/office/WEB-INF/web.xml", "<web-app/>");
        Migration migration = migrate("<Server><Service name='a'><Connector port='8080'/><Engine name='a'"
                + " defaultHost='h'><Host name='h' appBase='webapps'/></Engine></Service>\n<Service name='b'><Connector"
                + " port='8090'/><Engine name='b' defaultHost='h'><Host name='h' appBase='intern'/></Engine></Service>"
                + "</Server>");
        assertTrue(migration.toDecide().stream()
                .anyMatch(line -> line.startsWith("conf/server.xml:2: Service: not possible: all listeners")));
        assertFalse((written("penstock.properties") + written("arguments")).matches("(?s).*(8090|office).*"));
    }

    @Test
    void theFolderOfTomcatItselfIsNotServed() throws IOException {
        write("elsewhere/index.html", "hello");
        Migration migration = migrate(server(
                "",
                "<Host name='localhost' appBase=''><Context path='' docBase='elsewhere'/><Context path='/gone'"
                        + " docBase='/no/such/folder' sessionTimeout='5'/><Context path='${no.path}/x'/></Host>"));
        assertEquals(Outcome.NOT_POSSIBLE, row(migration, "Host appBase").outcome());
        String arguments = written("arguments");
        assertTrue(arguments.contains("/=" + base().resolve("elsewhere")), arguments);
        assertFalse(arguments.contains("/conf="), arguments);
        List<String> told = migration.toDecide();
        assertTrue(told.stream().anyMatch(line -> line.contains("Context docBase: not possible: no such file")));
        assertTrue(told.stream().anyMatch(line -> line.contains("Context path: not possible: ")), told.toString());
    }

    @Test
    void aContextWithoutADocBaseHasTheNameOfItsPath() throws IOException {
        write("webapps/a#b/index.html", "hello");
        write("webapps/ROOT/index.html", "hello");
        write("elsewhere/manager/index.html", "hello");
        write(
                "conf/Catalina/localhost/manager.xml",
                "<Context docBase='" + base().resolve("elsewhere/manager") + "'><Valve"
                        + " className='org.apache.catalina.valves.RemoteAddrValve' allow='::1'/></Context>");
        Migration migration = migrate(server(
                "",
                "<Host name='localhost' appBase='webapps'><Context path='/a/b/' sessionTimeout='-1'/>"
                        + "<Context path='' sessionTimeout='5'/></Host>"));
        String properties = written("penstock.properties");
        assertTrue(properties.contains("/a/b:session-timeout = 0m\n"), properties);
        assertTrue(properties.contains("/:session-timeout = 5m\n"), properties);
        assertFalse((written("arguments") + properties).contains("manager"));
        assertTrue(
                migration.toDecide().stream().anyMatch(line -> line.contains("manager.xml:1: Context: not possible")));
    }

    @Test
    void aProxyThatSendsAnotherFieldIsNotTrusted() throws IOException {
        Migration migration = migrate(server(
                "",
                "<Valve className='org.apache.catalina.valves.RemoteIpValve' remoteIpHeader='X-Real-IP'"
                        + " internalProxies='10.0.0.1'/>"));
        assertFalse(written("penstock.properties").contains("trusted-proxies"));
        assertEquals(
                "trusted-proxies = 10.0.0.1, when the proxy sets X-Forwarded-For",
                row(migration, "Valve:RemoteIpValve internalProxies").text());
    }

    @Test
    void aValueThatOnlyTheEnvironmentKnowsIsNotTakenForAnEmptyOne() throws IOException {
        write("webapps/shop/WEB-INF/web.xml", "<web-app/>");
        write(
                "conf/context.xml",
                "<Context><Environment name='word' value='${WORD}'/><Parameter name='host' value='${HOST}'/><Resource"
                        + " name='jdbc/a' type='javax.sql.DataSource' url='jdbc:x://${DB}/a'/><Valve"
                        + " className='org.apache.catalina.valves.RemoteAddrValve' allow='${NETWORKS}'/></Context>");
        Migration migration = migrate(server(
                "<Connector port='8443' SSLEnabled='true'><SSLHostConfig><Certificate certificateFile='${PEM}'"
                        + " certificateKeyFile='${KEY}'/></SSLHostConfig></Connector>",
                "<Host name='localhost' appBase='webapps'/>"));
        String properties = written("penstock.properties");
        assertFalse(properties.matches("(?s).*(:env|:context-param|keystore|changeit|addresses).*"), properties);
        assertTrue(row(migration, "Environment value").text().startsWith("${WORD} has no value"));
        assertTrue(row(migration, "Parameter value").text().endsWith("/context:context-param.host"));
        assertTrue(row(migration, "Resource:DataSource").text().startsWith("a ${name} in the url"));
        assertTrue(row(migration, "Valve:RemoteAddrValve allow").text().startsWith("EVERY CLIENT REACHES"));
        assertTrue(row(migration, "Certificate certificateFile").text().contains("tls-cert"));
        assertEquals(List.of(), migration.report.rows(Outcome.UNKNOWN));
    }

    @Test
    void filesInPemAndAKeyStoreAreNotMixed() throws IOException {
        Migration migration = migrate(server(
                "<Connector port='8443' SSLEnabled='true'><SSLHostConfig><Certificate certificateFile='a.pem'/>"
                        + "</SSLHostConfig><SSLHostConfig hostName='b.example.org' certificateVerification='required'>"
                        + "<Certificate certificateKeystoreFile='b.p12'/></SSLHostConfig></Connector>\n<Connector"
                        + " port='8444' SSLEnabled='true' clientAuth='true' keystoreFile='c.p12'/>\n<Connector"
                        + " port='8445' SSLEnabled='true' clientAuth='false' keystoreFile='c.p12'/>",
                ""));
        String properties = written("penstock.properties");
        assertTrue(properties.contains("tls-cert = " + base().resolve("a.pem")), properties);
        assertFalse(properties.contains("tls-keystore"), properties);
        assertTrue(properties.contains("//b.example.org:client-auth = need\n"), properties);
        Report.Row store = row(migration, "Certificate certificateKeystoreFile");
        assertEquals(Outcome.NOT_POSSIBLE, store.outcome());
        assertTrue(migration.toDecide().stream()
                .anyMatch(line -> line.contains(":5: Connector clientAuth: not possible")));
    }

    @Test
    void authoritiesAreReadOnlyIfClientsAreAskedForACertificate() throws IOException {
        Migration migration = migrate(server(
                "<Connector port='8443' SSLEnabled='true' clientAuth='false' keystoreFile='${user.home}/k.p12'"
                        + " truststoreFile='t.p12' truststorePass='hush'/>",
                ""));
        String properties = written("penstock.properties");
        assertFalse(properties.contains("tls-trust"), properties);
        assertTrue(properties.contains("tls-keystore = " + System.getProperty("user.home") + "/k.p12\n"), properties);
        assertEquals(
                Outcome.NOT_NEEDED, row(migration, "Connector truststoreFile").outcome());
    }

    @Test
    void aUserWithoutAPasswordGetsNone() throws IOException {
        write(
                "conf/tomcat-users.xml",
                "<tomcat-users><user username='ann' password='${PASSWORD}' roles='a'/><user username='ben' roles='b'/>"
                        + "<user username='${NAME}' roles='c'/></tomcat-users>");
        Migration migration = migrate(server("", "<Realm className='org.apache.catalina.realm.MemoryRealm'/>"));
        assertTrue(written("users").endsWith("\n# ann::a\n# ben::b\n"), written("users"));
        assertEquals(Outcome.NOT_POSSIBLE, row(migration, "user password").outcome());
    }

    @Test
    void theTimeForABodyIsThatOfUploadsIfTomcatUsesIt() throws IOException {
        migrate(server("<Connector port='8080' connectionTimeout='20000' disableUploadTimeout='false'/>", ""));
        String properties = written("penstock.properties");
        assertTrue(properties.contains("body-stall-timeout = 300s\n"), properties);
        assertTrue(properties.contains("head-timeout = 20s\n"), properties);
    }

    @Test
    void noFileOfTheAccessLogIsDeletedUnlessTomcatDeletesThem() throws IOException {
        migrate(server(
                "",
                "<Valve className='org.apache.catalina.valves.AccessLogValve' directory='${catalina.base}/logs/access'"
                        + " prefix='access_log.' suffix='.txt'/>"));
        String properties = written("penstock.properties");
        assertTrue(properties.contains("access-log-keep = 0\n"), properties);
        assertTrue(
                properties.contains("access-log = " + folder.resolve("new/logs/access/access_log.txt") + "\n"),
                properties);
    }

    @Test
    void thePoolsOfTomcatAndHikariBecomeKeys() throws IOException {
        Migration migration = migrate("<Server><GlobalNamingResources>"
                + "<Resource name='jdbc/a' type='javax.sql.DataSource' url='jdbc:postgresql://db/a'"
                + " factory='org.apache.tomcat.jdbc.pool.DataSourceFactory' removeAbandoned='false' logAbandoned='true'/>"
                + "<Resource name='jdbc/b' type='javax.sql.DataSource' factory='com.zaxxer.hikari.HikariJNDIFactory'"
                + " jdbcUrl='jdbc:postgresql://db/b' dataSource.user='sa' dataSource.password='hush' dataSource.ssl='on'"
                + " maximumPoolSize='7' connectionTimeout='2500' maxLifetime='60000'/></GlobalNamingResources>"
                + "<Service><Connector port='0'/></Service></Server>");
        String sources = written("data-sources.properties");
        for (String line : List.of(
                "jdbc/a.max-connections = 100",
                "jdbc/b.url = jdbc:postgresql://db/b",
                "jdbc/b.user = sa",
                "jdbc/b.password = hush",
                "jdbc/b.property.ssl = on",
                "jdbc/b.max-connections = 7",
                "jdbc/b.connection-timeout = 3s")) {
            assertTrue(sources.contains(line + "\n"), line + " in " + sources);
        }
        assertEquals(
                List.of("Resource:DataSource logAbandoned"),
                migration.report.rows(Outcome.NOT_POSSIBLE).stream()
                        .map(Report.Row::what)
                        .toList());
        assertEquals(List.of(), migration.report.rows(Outcome.UNKNOWN));
        assertFalse(written("report.md").contains("hush"));
    }

    @Test
    void usersOfADatabaseAreNotThoseOfTheFile() throws IOException {
        write("conf/tomcat-users.xml", "<tomcat-users><user username='ann' password='x'/></tomcat-users>");
        Migration migration = migrate(
                "<Server><GlobalNamingResources><Resource name='UserDatabase'"
                        + " type='org.apache.catalina.UserDatabase' dataSourceName='jdbc/a' userTable='users'"
                        + " factory='org.apache.catalina.users.DataSourceUserDatabaseFactory'/></GlobalNamingResources><Service>"
                        + "<Engine><Realm className='org.apache.catalina.realm.UserDatabaseRealm'/></Engine></Service></Server>");
        assertTrue(row(migration, "Realm:UserDatabaseRealm").text().startsWith("a database has the users"));
        assertFalse(Files.exists(folder.resolve("new/users")));
        assertEquals(List.of(), migration.report.rows(Outcome.UNKNOWN));
    }

    @Test
    void timesOfSessionsAreInWholeMinutes() throws IOException {
        write("webapps/shop/WEB-INF/web.xml", "<web-app/>");
        write("conf/context.xml", "<Context><Manager maxInactiveInterval='90'/></Context>");
        migrate(server("", "<Host name='localhost' appBase='webapps'/>"));
        assertTrue(written("penstock.properties").contains("/shop:session-timeout = 2m\n"));
    }

    @Test
    void theScriptOfTheEnvironmentHasVariablesConditionsAndFormerOptions() throws IOException {
        write("bin/setenv.sh", """
                #!/bin/bash
                : ${OUR_JAVA_OPTS:="-Xms64m -Xmx512m"}
                CATALINA_OPTS="${OUR_JAVA_OPTS} $EXTRA_OPTS -Dname=\\"two words\\" -Ddb.password=hush"; # both
                SLASH="-Dorg.apache.tomcat.util.buf.UDecoder.ALLOW_ENCODED_SLASH=true -Dorg.apache.cxf.Logger=x"
                if [ -n "$DEBUG" ]; then
                  JAVA_OPTS="$JAVA_OPTS $SLASH
                    -Dagent='$AGENT' -Xdebugged"
                else
                  JAVA_OPTS="$JAVA_OPTS -XX:+PrintGCDateStamps -XX:+CMSClassUnloadingEnabled -XX:MaxPermSize=1m"
                  JAVA_OPTS="$JAVA_OPTS -XX:-UseBiasedLocking"
                fi
                export CATALINA_OPTS JAVA_OPTS ;
                HOME_OF_SHOP=/srv/shop
                export HOME_OF_SHOP
                """);
        Migration migration = migrate(server("", ""));
        String options = written("java-options");
        assertEquals(
                "-Xms64m\n-Xmx512m\n\"-Dname=two words\"\n-Ddb.password=hush\n-Dorg.apache.cxf.Logger=x\n-Xdebugged\n",
                options);
        assertFalse(written("report.md").contains("hush"));
        assertEquals(
                List.of("bin/setenv.sh:5"),
                migration.report.rows(Outcome.UNKNOWN).stream()
                        .map(Report.Row::where)
                        .toList());
        assertEquals(
                List.of(
                        "$EXTRA_OPTS",
                        "-Dorg.apache.tomcat.util.buf.UDecoder.ALLOW_ENCODED_SLASH=true",
                        "-Dagent=$AGENT"),
                migration.report.rows(Outcome.NOT_POSSIBLE).stream()
                        .map(Report.Row::value)
                        .toList());
        assertEquals(Outcome.NOT_NEEDED, row(migration, "SLASH").outcome());
        assertEquals(Outcome.MAPPED, row(migration, "HOME_OF_SHOP").outcome());
        assertTrue(migration.report.rows().stream()
                .anyMatch(row -> row.value().equals("-Xdebugged") && row.text().endsWith("check it")));
    }

    @Test
    void aPropertyOfTomcatThatChangesAnswersIsTold() throws IOException {
        write("conf/catalina.properties", "tomcat.util.http.parser.HttpParser.requestTargetAllow=|{}\n");
        Migration migration = migrate(server("", ""));
        assertEquals(
                Outcome.NOT_POSSIBLE,
                row(migration, "tomcat.util.http.parser.HttpParser.requestTargetAllow")
                        .outcome());
    }

    @Test
    void cookiesFiltersAndParametersOfTomcatsWebXmlBecomeKeysAndRules() throws IOException {
        write("webapps/shop/WEB-INF/web.xml", "<web-app/>");
        write("conf/web.xml", """
                <web-app>
                  <servlet>
                    <servlet-name>default</servlet-name>
                    <servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class>
                    <init-param><param-name>precompressed</param-name><param-value>br=.br</param-value></init-param>
                    <init-param><param-name>sendfileSize</param-name><param-value>48</param-value></init-param>
                    <init-param><param-name>useAcceptRanges</param-name><param-value>false</param-value></init-param>
                  </servlet>
                  <servlet>
                    <servlet-name>jsp</servlet-name>
                    <servlet-class>org.apache.jasper.servlet.JspServlet</servlet-class>
                    <init-param><param-name>fork</param-name><param-value>false</param-value></init-param>
                    <init-param><param-name>development</param-name><param-value>false</param-value></init-param>
                  </servlet>
                  <filter>
                    <filter-name>cors</filter-name>
                    <filter-class>org.apache.catalina.filters.CorsFilter</filter-class>
                    <init-param>
                      <param-name>cors.allowed.origins</param-name>
                      <param-value>https://a.example.org,https://b.example.org</param-value>
                    </init-param>
                    <init-param>
                      <param-name>cors.allowed.methods</param-name><param-value>GET,PUT,DELETE</param-value>
                    </init-param>
                    <init-param>
                      <param-name>cors.support.credentials</param-name><param-value>true</param-value>
                    </init-param>
                  </filter>
                  <filter-mapping><filter-name>cors</filter-name><url-pattern>/api/*</url-pattern></filter-mapping>
                  <session-config>
                    <cookie-config><name>SID</name><http-only>true</http-only><secure>true</secure></cookie-config>
                    <tracking-mode>COOKIE</tracking-mode>
                  </session-config>
                  <welcome-file-list><welcome-file>start.html</welcome-file></welcome-file-list>
                  <security-constraint>
                    <web-resource-collection><url-pattern>/*</url-pattern></web-resource-collection>
                    <user-data-constraint><transport-guarantee>CONFIDENTIAL</transport-guarantee></user-data-constraint>
                  </security-constraint>
                </web-app>
                """);
        Migration migration = migrate(server("", "<Host name='localhost' appBase='webapps'/>"));
        String properties = written("penstock.properties");
        for (String line : List.of(
                "/shop:compression = precompressed",
                "/shop:context-param.penstock.jsp.development = false",
                "session-cookie-name = SID",
                "session-cookie-http-only = on",
                "session-cookie-secure = on",
                "session-tracking = cookie")) {
            assertTrue(properties.contains(line + "\n"), line + " in " + properties);
        }
        assertEquals("""
                /shop/api/* Access-Control-Allow-Origin: https://a.example.org, https://b.example.org
                /shop/api/* Access-Control-Allow-Methods: PUT, DELETE
                /shop/api/* Access-Control-Allow-Headers: Accept, X-Requested-With, Content-Type
                /shop/api/* Access-Control-Allow-Credentials: true
                /shop/api/* Access-Control-Max-Age: 1800
                """, written("response-rules"));
        for (String what : List.of("<welcome-file-list>", "default servlet useAcceptRanges")) {
            assertEquals(Outcome.NOT_POSSIBLE, row(migration, what).outcome(), what);
        }
        for (String what : List.of("JSP servlet fork", "default servlet sendfileSize")) {
            assertEquals(Outcome.NOT_NEEDED, row(migration, what).outcome(), what);
        }
        assertTrue(row(migration, "<security-constraint>").text().startsWith("redirect-port"));
    }

    /** @param mapping the content of the filter-mapping */
    private static String cors(String origin, String mapping) {
        return "<web-app><filter><filter-name>cors</filter-name>"
                + "<filter-class>org.apache.catalina.filters.CorsFilter</filter-class><init-param>"
                + "<param-name>cors.allowed.origins</param-name><param-value>" + origin
                + "</param-value></init-param></filter><filter-mapping><filter-name>cors</filter-name>" + mapping
                + "</filter-mapping></web-app>";
    }

    private List<String> origins() throws IOException {
        return written("response-rules")
                .lines()
                .filter(line -> line.contains("Allow-Origin"))
                .toList();
    }

    @Test
    void theCorsFilterOfAllApplicationsIsForTheSamePathsInEachContext() throws IOException {
        write("webapps/ROOT/WEB-INF/web.xml", "<web-app/>");
        write("webapps/shop/WEB-INF/web.xml", "<web-app/>");
        write("conf/web.xml", cors("https://a.example.org", "<url-pattern>/open data/*</url-pattern>"));
        migrate(server("", "<Host name='localhost' appBase='webapps'/>"));
        assertEquals(
                List.of(
                        "/open%20data/* Access-Control-Allow-Origin: https://a.example.org",
                        "/shop/open%20data/* Access-Control-Allow-Origin: https://a.example.org"),
                origins());
    }

    /** The last rule that matches applies, so the rule of the application must come last. */
    @Test
    void theCorsFilterOfAnApplicationWinsOverThatOfAllApplications() throws IOException {
        write("webapps/shop/WEB-INF/web.xml", cors("https://shop.example.org", "<url-pattern>/*</url-pattern>"));
        write("conf/web.xml", cors("https://a.example.org", "<url-pattern>/*</url-pattern>"));
        migrate(server("", "<Host name='localhost' appBase='webapps'/>"));
        assertEquals(
                List.of(
                        "/* Access-Control-Allow-Origin: https://a.example.org",
                        "/shop/* Access-Control-Allow-Origin: https://shop.example.org"),
                origins());
    }

    @ParameterizedTest
    @CsvSource({
        "<url-pattern>*.json</url-pattern>, it is mapped to a servlet or an extension",
        "<servlet-name>api</servlet-name>, it is mapped to a servlet or an extension"
    })
    void aCorsFilterThatIsNotMappedToPathsOpensNone(String mapping, String text) throws IOException {
        write("webapps/shop/WEB-INF/web.xml", cors("https://a.example.org", mapping));
        Migration migration = migrate(server("", "<Host name='localhost' appBase='webapps'/>"));
        Report.Row row = row(migration, "<filter> cors");
        assertEquals(Outcome.NOT_POSSIBLE, row.outcome());
        assertTrue(row.text().startsWith(text), row.text());
        assertFalse(Files.exists(folder.resolve("new/response-rules")));
    }

    @Test
    void theCorsFilterOfAHostIsToldSinceRulesAreForAllHosts() throws IOException {
        write("other/shop/WEB-INF/web.xml", cors("https://a.example.org", "<url-pattern>/*</url-pattern>"));
        write("conf/web.xml", cors("https://b.example.org", "<url-pattern>/api/*</url-pattern>"));
        Migration migration = migrate(
                server("", "<Host name='localhost' appBase='webapps'/><Host name='www.example.org' appBase='other'/>"));
        List<String> texts = migration.report.rows().stream()
                .filter(row -> row.what().equals("<filter> cors"))
                .map(Report.Row::text)
                .toList();
        assertEquals(2, texts.size(), texts.toString());
        assertTrue(
                texts.stream().allMatch(text -> text.startsWith("response-rules are for all hosts")), texts.toString());
        assertFalse(Files.exists(folder.resolve("new/response-rules")));
    }
}

package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Migrates a configuration with the elements that Tomcat ships, and a data source, a realm and RemoteIpValve in addition, and starts the
 * server with the result.
 */
class MigrateTomcatIT {
    @TempDir
    Path folder;

    private Path base;

    @BeforeEach
    void unpack() throws Exception {
        base = folder.resolve("tomcat");
        write("conf/server.xml", """
                <?xml version="1.0" encoding="UTF-8"?>
                <Server port="8005" shutdown="SHUTDOWN">
                  <Listener className="org.apache.catalina.startup.VersionLoggerListener" />
                  <Listener className="org.apache.catalina.core.JreMemoryLeakPreventionListener" />
                  <Listener className="org.apache.catalina.mbeans.GlobalResourcesLifecycleListener" />
                  <Listener className="org.apache.catalina.core.ThreadLocalLeakPreventionListener" />
                  <GlobalNamingResources>
                    <Resource name="UserDatabase" auth="Container" type="org.apache.catalina.UserDatabase"
                              factory="org.apache.catalina.users.MemoryUserDatabaseFactory" pathname="conf/tomcat-users.xml" />
                    <Resource name="jdbc/all" auth="Container" type="javax.sql.DataSource" url="jdbc:h2:mem:orders"
                              driverClassName="org.h2.Driver" username="sa" password="" maxTotal="20" maxIdle="10"
                              maxWaitMillis="10000" validationQuery="select 1" />
                  </GlobalNamingResources>
                  <Service name="Catalina">
                    <Connector port="0" address="127.0.0.1" protocol="HTTP/1.1" connectionTimeout="20000" redirectPort="8443" />
                    <Engine name="Catalina" defaultHost="localhost">
                      <Realm className="org.apache.catalina.realm.LockOutRealm">
                        <Realm className="org.apache.catalina.realm.UserDatabaseRealm" resourceName="UserDatabase"/>
                      </Realm>
                      <Valve className="org.apache.catalina.valves.RemoteIpValve" internalProxies="127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|::1"
                             remoteIpHeader="X-Forwarded-For" protocolHeader="X-Forwarded-Proto" />
                      <Host name="localhost" appBase="webapps" unpackWARs="true" autoDeploy="true">
                        <Valve className="org.apache.catalina.valves.AccessLogValve" directory="logs" prefix="localhost_access_log"
                               suffix=".txt" pattern="%h %l %u %t &quot;%r&quot; %s %b" />
                      </Host>
                    </Engine>
                  </Service>
                </Server>
                """);
        write("conf/context.xml", "<Context><WatchedResource>WEB-INF/web.xml</WatchedResource></Context>");
        write("conf/tomcat-users.xml", """
                <tomcat-users xmlns="http://tomcat.apache.org/xml" version="1.0">
                  <role rolename="staff"/>
                  <user username="ann" password="open sesame" roles="staff"/>
                </tomcat-users>
                """);
        write("webapps/shop/META-INF/context.xml", """
                <Context sessionCookieName="SHOP" useHttpOnly="true" crossContext="true" clearReferencesStopThreads="true">
                  <ResourceLink name="jdbc/orders" global="jdbc/all" type="javax.sql.DataSource"/>
                  <Resource name="jdbc/own" type="javax.sql.DataSource" url="jdbc:h2:mem:own" username="sa"
                            driverClassName="org.h2.Driver"/>
                  <Environment name="limit" value="7" type="java.lang.Integer" override="false"/>
                  <Parameter name="mode" value="fast"/>
                  <Valve className="org.apache.catalina.valves.SemaphoreValve" concurrency="5"/>
                  <Manager pathname=""/>
                  <CookieProcessor sameSiteCookies="lax"/>
                  <Resources cacheMaxSize="100000"/>
                </Context>
                """);
        write("webapps/shop/staff/index.html", "only for staff");
        write("webapps/shop/WEB-INF/web.xml", """
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
                  <security-constraint>
                    <web-resource-collection>
                      <web-resource-name>staff</web-resource-name>
                      <url-pattern>/staff/*</url-pattern>
                    </web-resource-collection>
                    <auth-constraint><role-name>staff</role-name></auth-constraint>
                  </security-constraint>
                  <login-config><auth-method>BASIC</auth-method></login-config>
                  <security-role><role-name>staff</role-name></security-role>
                </web-app>
                """);
        String servlet = QueryServlet.class.getName().replace('.', '/') + ".class";
        try (InputStream in = QueryServlet.class.getClassLoader().getResourceAsStream(servlet)) {
            write("webapps/shop/WEB-INF/classes/" + servlet, in.readAllBytes());
        }
        write(
                "lib/h2.jar",
                Files.readAllBytes(Path.of(org.h2.Driver.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())));
    }

    private void write(String name, String text) throws IOException {
        write(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private void write(String name, byte[] bytes) throws IOException {
        Path file = base.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }

    private static HttpResponse<String> get(URI server, String path, String... fields) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path));
        if (fields.length > 0) {
            request.headers(fields);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String user(String nameAndPassword) {
        return "Basic " + Base64.getEncoder().encodeToString(nameAndPassword.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void theConfigurationThatTomcatShipsWithADataSourceARealmAndAProxyStartsAndAnswers() throws Exception {
        Path made = folder.resolve("made");
        try (JarProcess migrating = JarProcess.run("migrate", base.toString(), "--migrate-to", made.toString())) {
            Ran ran = migrating.ended();
            assertEquals(0, ran.exitCode(), ran.err());
            assertTrue(ran.out().contains(" 0 unknown;"), ran.out());
            assertTrue(ran.out().contains("Checked: no problem found"), ran.out());
        }
        try (JarProcess jar = JarProcess.run("@" + made.resolve("arguments"))) {
            URI server = URI.create("http://127.0.0.1:" + JarProcess.port(jar.startLine()) + "/");
            assertEquals("42 by the same source", get(server, "/shop/query").body(), jar.log());
            assertEquals(401, get(server, "/shop/staff/index.html").statusCode());
            assertEquals(
                    401,
                    get(server, "/shop/staff/index.html", "Authorization", user("ann:wrong"))
                            .statusCode());
            HttpResponse<String> staff = get(
                    server,
                    "/shop/staff/index.html",
                    "Authorization",
                    user("ann:open sesame"),
                    "X-Forwarded-For",
                    "192.0.2.7");
            assertEquals("only for staff", staff.body(), jar.log());
            assertFalse(jar.log().contains("META-INF/context.xml"), jar.log());
            jar.terminate();
            jar.ended();
        }
        List<String> log = Files.readAllLines(made.resolve("logs/localhost_access_log.txt"));
        assertTrue(log.get(3).startsWith("192.0.2.7 - ann ["), log.toString());
        assertTrue(log.get(3).contains("\"GET /shop/staff/index.html HTTP/1.1\" 200 "), log.toString());
        try (Stream<Path> files = Files.walk(base)) {
            assertTrue(files.noneMatch(file -> file.endsWith("logs")), "a folder of Tomcat has changed");
        }
    }

    @Test
    void aFileThatIsNoConfigurationIsAnErrorOfOneLine() throws Exception {
        Path file = Files.writeString(folder.resolve("other.xml"), "<web-app/>");
        Ran.with(
                        "migrate",
                        file.toString(),
                        "--migrate-to",
                        folder.resolve("made").toString())
                .assertError(1, "cannot migrate: " + file + ": not a server.xml, since its element is <web-app>");
        Ran.with("--migrate-to", folder.resolve("made").toString()).assertUsageError("--migrate-to needs --migrate");
    }
}

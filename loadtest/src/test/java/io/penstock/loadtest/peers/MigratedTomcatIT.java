package io.penstock.loadtest.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Starts Tomcat with a configuration, and Penstock with the configuration that {@code penstock migrate} makes of it. Both answer alike. */
@Timeout(300)
class MigratedTomcatIT {
    private static final int PATIENCE_MILLIS = 60_000;

    /** The first requests, which are for the default host and not refused because of their address. */
    private static final int OF_DEFAULT_HOST = 12;

    private static final Path PEERS = Path.of("target", "peers");
    private static final Pattern PORT_OF_TOMCAT = Pattern.compile("\"http-nio-127\\.0\\.0\\.1-auto-1-([0-9]+)\"");
    private static final Pattern PORT_OF_PENSTOCK = Pattern.compile("http://127\\.0\\.0\\.1:([0-9]+)/");
    private static final Pattern LINE = Pattern.compile("(\\S+) - (\\S+) \\[[^]]*] (\"[^\"]*\" [0-9]+) .*");

    @TempDir
    Path folder;

    private Path base;

    private void write(String name, String text) throws IOException {
        Path file = base.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void writeConfiguration() throws IOException {
        base = folder.resolve("tomcat");
        write("conf/server.xml", """
                <Server port="-1">
                  <Listener className="org.apache.catalina.core.ThreadLocalLeakPreventionListener" />
                  <GlobalNamingResources>
                    <Resource name="UserDatabase" type="org.apache.catalina.UserDatabase"
                              factory="org.apache.catalina.users.MemoryUserDatabaseFactory" pathname="conf/tomcat-users.xml" />
                  </GlobalNamingResources>
                  <Service name="Catalina">
                    <Connector port="0" address="127.0.0.1" protocol="HTTP/1.1" connectionTimeout="20000" maxHttpHeaderSize="4096" />
                    <Engine name="Catalina" defaultHost="localhost">
                      <Realm className="org.apache.catalina.realm.LockOutRealm">
                        <Realm className="org.apache.catalina.realm.UserDatabaseRealm" resourceName="UserDatabase" />
                      </Realm>
                      <Valve className="org.apache.catalina.valves.RemoteIpValve" internalProxies="127\\.0\\.0\\.1" />
                      <Valve className="org.apache.catalina.valves.RemoteAddrValve" deny="198\\.51\\.100\\.\\d+" />
                      <Host name="localhost" appBase="webapps">
                        <Valve className="org.apache.catalina.valves.AccessLogValve" directory="logs" prefix="access" suffix=".txt"
                               rotatable="false" buffered="false" pattern="common" requestAttributesEnabled="true" />
                      </Host>
                      <Host name="www.example.org" appBase="sites">
                        <Alias>example.org</Alias>
                      </Host>
                    </Engine>
                  </Service>
                </Server>
                """);
        write("conf/web.xml", """
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                  <servlet>
                    <servlet-name>default</servlet-name>
                    <servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class>
                  </servlet>
                  <servlet-mapping><servlet-name>default</servlet-name><url-pattern>/</url-pattern></servlet-mapping>
                  <welcome-file-list><welcome-file>index.html</welcome-file></welcome-file-list>
                </web-app>
                """);
        write("conf/tomcat-users.xml", """
                <tomcat-users version="1.0">
                  <user username="ann" password="open sesame" roles="staff"/>
                  <user username="ben" password="secret" roles="guest"/>
                </tomcat-users>
                """);
        write("webapps/shop/index.html", "the shop");
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
        write("sites/ROOT/index.html", "the site");
    }

    /** The program, its output until the line that names the port, and the port. */
    private record Server(Process process, int port) implements AutoCloseable {
        static Server start(Pattern port, String... command) throws IOException {
            List<String> all = new ArrayList<>();
            all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            all.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"));
            all.addAll(List.of(command));
            Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
            BufferedReader out = process.inputReader();
            StringBuilder read = new StringBuilder();
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                read.append(line).append('\n');
                Matcher found = port.matcher(line);
                if (found.find()) {
                    // The rest is read, so that the program never waits for this test.
                    Thread rest = new Thread(() -> out.lines().forEach(ignored -> {}), "output");
                    rest.setDaemon(true);
                    rest.start();
                    return new Server(process, Integer.parseInt(found.group(1)));
                }
            }
            throw new IOException("the program ended: " + read);
        }

        @Override
        public void close() throws InterruptedException {
            process.toHandle().destroy();
            process.waitFor();
        }
    }

    private static String user(String nameAndPassword) {
        return "Authorization: Basic "
                + Base64.getEncoder().encodeToString(nameAndPassword.getBytes(StandardCharsets.UTF_8));
    }

    private static String send(int port, String... request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            StringBuilder head = new StringBuilder(request[0] + " HTTP/1.1\r\nConnection: close\r\n");
            for (int i = 1; i < request.length; i++) {
                head.append(request[i]).append("\r\n");
            }
            if (head.indexOf("Host: ") < 0) {
                head.append("Host: localhost\r\n");
            }
            socket.getOutputStream().write(head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String field(String response, String name) {
        Matcher field = Pattern.compile("(?im)^" + name + ": *(\\S+)").matcher(response);
        return field.find() ? " " + field.group(1).replaceFirst("^http://[^/]*", "") : "";
    }

    /** The requests, each with what a client can compare: status, body of a success, path of a redirect, kind of a challenge. */
    private static Map<String, String> answers(int port) throws IOException {
        Map<String, String> answers = new LinkedHashMap<>();
        String[][] requests = {
            {"GET /shop/"},
            {"GET /shop"},
            {"HEAD /shop/index.html"},
            {"GET /shop/missing"},
            {"GET /shop/WEB-INF/web.xml"},
            {"GET /other"},
            {"TRACE /shop/"},
            {"GET /shop/staff/index.html"},
            {"GET /shop/staff/index.html", user("ann:wrong")},
            {"GET /shop/staff/index.html", user("ben:secret")},
            {"GET /shop/staff/index.html", user("ann:open sesame")},
            {"GET /shop/", "X-Forwarded-For: 192.0.2.7"},
            {"GET /shop/", "X-Forwarded-For: 198.51.100.9"},
            {"GET /", "Host: www.example.org"},
            {"GET /", "Host: example.org"},
            {"GET /shop/", "Host: unknown.example.org"},
        };
        for (String[] request : requests) {
            String response = send(port, request);
            String status = response.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length());
            String body = status.equals("200") ? response.substring(response.indexOf("\r\n\r\n") + 4) : "";
            answers.put(
                    String.join(", ", request),
                    status + " " + body + field(response, "Location") + field(response, "WWW-Authenticate"));
        }
        return answers;
    }

    private static List<String> lines(Path log) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line : Files.readAllLines(log)) {
            Matcher parts = LINE.matcher(line);
            assertTrue(parts.matches(), line);
            lines.add(parts.group(1) + " " + parts.group(2) + " " + parts.group(3));
        }
        return lines;
    }

    @Test
    void theMigratedServerAnswersAndLogsLikeTomcat() throws Exception {
        writeConfiguration();
        Path made = folder.resolve("made");
        Map<String, String> ofTomcat;
        Map<String, String> ofPenstock;
        try (Server tomcat = Server.start(
                PORT_OF_TOMCAT,
                "-Dcatalina.base=" + base,
                "-Dcatalina.home=" + base,
                "-cp",
                PEERS.resolve("tomcat.jar").toString(),
                "org.apache.catalina.startup.Tomcat",
                "--await")) {
            ofTomcat = answers(tomcat.port());
        }
        String jar = PEERS.resolve("runnable").resolve("penstock.jar").toString();
        Process migration = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        jar,
                        "migrate",
                        base.toString(),
                        "--migrate-to",
                        made.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(migration.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, migration.waitFor(), output);
        try (Server penstock = Server.start(PORT_OF_PENSTOCK, "-jar", jar, "@" + made.resolve("arguments"))) {
            ofPenstock = answers(penstock.port());
        }
        assertEquals(ofTomcat, ofPenstock);
        // Penstock has one log for all hosts, with the refused requests.
        List<String> logOfTomcat = lines(base.resolve("logs/access.txt"));
        List<String> logOfPenstock = lines(made.resolve("logs/access.txt"));
        assertTrue(
                logOfTomcat.size() > OF_DEFAULT_HOST && logOfPenstock.size() > OF_DEFAULT_HOST,
                logOfTomcat + " and " + logOfPenstock);
        assertEquals(logOfTomcat.subList(0, OF_DEFAULT_HOST), logOfPenstock.subList(0, OF_DEFAULT_HOST));
    }
}

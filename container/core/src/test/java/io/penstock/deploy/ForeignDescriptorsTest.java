package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What a descriptor for another server declares is not lost without a word. */
class ForeignDescriptorsTest {
    private static final Path LOG = Path.of(System.getProperty("org.slf4j.simpleLogger.logFile", "target/tests.log"));

    @TempDir
    Path folder;

    /** Returns the lines about foreign descriptors that the deployment of a WAR with these files logs. */
    private List<String> linesOf(Packing content, String name) throws Exception {
        return linesOf(content.with("WEB-INF/web.xml", ""), name, Map.of());
    }

    private List<String> linesOf(Packing content, String name, Map<String, String> settings) throws Exception {
        LoggerFactory.getLogger(ForeignDescriptorsTest.class);
        Path war = content.archive(folder.resolve(name));
        int before = Files.readAllBytes(LOG).length;
        Penstock.Builder builder = Penstock.builder().host("127.0.0.1").port(0).war("/shop", war);
        settings.forEach(builder::set);
        try (Penstock server = builder.start()) {
            byte[] all = Files.readAllBytes(LOG);
            return new String(all, before, all.length - before, Charset.defaultCharset())
                    .lines()
                    .filter(line -> line.contains(name) && line.contains("has no effect here"))
                    .toList();
        }
    }

    @Test
    void oneWarningNamesEachElementOfContextXmlAndTheKeyThatDoesTheSame() throws Exception {
        List<String> lines = linesOf(Packing.empty().with("META-INF/context.xml", """
                <Context sessionCookieName="SHOP" crossContext="true" reloadable="true" secretOption="x">
                  <Resource name="jdbc/orders" type="javax.sql.DataSource" password="hunter2" url="jdbc:h2:mem"/>
                  <Environment name="limit" value="hunter2" type="java.lang.Integer"/>
                  <Parameter name="mode" value="hunter2"/>
                  <Valve className="org.apache.catalina.valves.RemoteIpValve"/>
                  <CookieProcessor sameSiteCookies="strict"/>
                  <Manager className="org.apache.catalina.session.PersistentManager" maxActiveSessions="50"
                           maxInactiveInterval="60"><Store/></Manager>
                  <Realm/>
                  <WatchedResource>WEB-INF/web.xml</WatchedResource>
                  <Resources><PostResources base="/srv/lib"/></Resources>
                  <Unheard/>
                </Context>
                """), "tomcat.war");
        assertEquals(1, lines.size(), lines::toString);
        String line = lines.get(0);
        for (String part : List.of(
                "WARN",
                "META-INF/context.xml",
                "attribute sessionCookieName: the key /shop:session-cookie-name",
                "attribute secretOption: nothing does the same here",
                "<Resource name='jdbc/orders'>: the file of the key data-sources, with jdbc/orders.url = ...",
                "<Environment name='limit'>: the key /shop:env.limit",
                "<Parameter name='mode'>: the key /shop:context-param.mode",
                "<Valve className='org.apache.catalina.valves.RemoteIpValve'>: the key trusted-proxies",
                "<CookieProcessor>: the key /shop:session-cookie-same-site, for the session cookie",
                "<Manager className='org.apache.catalina.session.PersistentManager'>: the key session-dir or"
                        + " session-store, the key max-sessions, the key /shop:session-timeout;",
                "<Realm>: the key realm-file, realm-data-source or realm-ldap-url;",
                "<Resources>: the key /shop:libraries, for a folder of libraries at /WEB-INF/lib",
                "<Unheard>: nothing does the same here")) {
            assertTrue(line.contains(part), part + " is missing in " + line);
        }
        assertFalse(line.contains("hunter2") || line.contains("reloadable") || line.contains("Watched"), line);
        assertFalse(line.contains("crossContext"), "allowed by default");
    }

    @Test
    void whatTheConfigurationHasIsNotNamed() throws Exception {
        Path libraries = Files.createDirectory(folder.resolve("lib"));
        Packing taken = Packing.empty().with("META-INF/context.xml", """
                        <Context sessionCookieName="SHOP" useHttpOnly="true" cookies="true" crossContext="true">
                          <ResourceLink name="all/limit" global="limit" type="java.lang.Integer"/>
                          <Environment name="limit" value="7" type="java.lang.Integer"/>
                          <Parameter name="mode" value="fast"/>
                          <Valve className="org.apache.catalina.valves.RemoteAddrValve" allow="127.*"/>
                          <Valve className="org.apache.catalina.authenticator.BasicAuthenticator"/>
                          <Manager maxActiveSessions="500"/>
                          <CookieProcessor sameSiteCookies="strict"/>
                          <Resources><PostResources base="/srv/lib"/></Resources>
                          <JarScanner><JarScanFilter pluggabilitySkip="a.jar"/></JarScanner>
                        </Context>
                        """).with("WEB-INF/web.xml", """
                        <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
                          <login-config><auth-method>BASIC</auth-method></login-config>
                        </web-app>
                        """);
        Map<String, String> settings = Map.ofEntries(
                Map.entry("/shop:session-cookie-name", "SHOP"),
                Map.entry("/shop:env.limit", "7"),
                Map.entry("/shop:env.all/limit", "7"),
                Map.entry("/shop:context-param.mode", "fast"),
                Map.entry("/shop:allowed-addresses", "127.0.0.0/8"),
                Map.entry("/shop:session-cookie-same-site", "strict"),
                Map.entry("/shop:libraries", libraries.toString()),
                Map.entry("/shop:exclude-scan", "a.jar"),
                Map.entry("max-sessions", "500"));
        assertEquals(List.of(), linesOf(taken, "taken.war", settings));
        Map<String, String> fewer = new HashMap<>(settings);
        fewer.keySet().removeAll(List.of("/shop:env.limit", "/shop:allowed-addresses"));
        fewer.put("allowed-addresses", "127.0.0.0/8");
        fewer.put("cross-context", "refuse");
        List<String> lines = linesOf(taken, "fewer.war", fewer);
        assertEquals(1, lines.size(), lines::toString);
        assertTrue(
                lines.get(0)
                        .contains("has no effect here. attribute crossContext: the key cross-context; "
                                + "<Environment name='limit'>: the key /shop:env.limit; <Valve"
                                + " className='org.apache.catalina.valves.RemoteAddrValve'>: the key"
                                + " /shop:allowed-addresses or /shop:denied-addresses"),
                lines::toString);
        assertFalse(lines.get(0).contains("mode") || lines.get(0).contains("all/limit"), lines::toString);
    }

    /** The commonest contents of the file, which are what the server does anyway. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Manager pathname=''/>",
                "<Manager className='org.apache.catalina.session.StandardManager' pathname=' '/>",
                "<Manager sessionAttributeValueClassNameFilter='java.lang.String'/>",
                "<Resources cachingAllowed='true' cacheMaxSize='100000'/>",
                "<JarScanner scanManifest='false'/>",
                "<CookieProcessor className='org.apache.tomcat.util.http.Rfc6265CookieProcessor'/>",
                "<CookieProcessor sameSiteCookies='unset' partitioned='false'/>",
                "<Loader delegate='false'/>",
            })
    void anElementWithoutLossGivesNoLine(String element) throws Exception {
        String context = "<Context clearReferencesStopThreads='true' allowLinking='false' usePartitioned='false'>"
                + element + "</Context>";
        assertEquals(List.of(), linesOf(Packing.empty().with("META-INF/context.xml", context), "common.war"));
    }

    @Test
    void aContextXmlWithoutLossGivesNoLineAndABrokenOneDoesNotStopTheApplication() throws Exception {
        assertEquals(
                List.of(),
                linesOf(
                        Packing.empty()
                                .with(
                                        "META-INF/context.xml",
                                        "<Context antiResourceLocking='false' path='/x'><!-- n --></Context>"),
                        "harmless.war"));
        List<String> broken = linesOf(Packing.empty().with("META-INF/context.xml", "<Context>"), "broken.war");
        assertEquals(1, broken.size());
        assertTrue(broken.get(0).contains("cannot be read"), broken::toString);
    }

    @Test
    void namesCannotBeginALineOfTheLog() throws Exception {
        List<String> lines = linesOf(
                Packing.empty()
                        .with(
                                "META-INF/context.xml",
                                "<Context><Parameter name='a&#10;forged: has no effect here'/></Context>"),
                "forged.war");
        assertEquals(1, lines.size());
        assertTrue(lines.get(0).contains("name='a?forged"), lines::toString);
    }

    @Test
    void descriptorsOfOtherServersAreNamed() throws Exception {
        List<String> lines = linesOf(Packing.empty().with("WEB-INF/jetty-web.xml", "<Configure/>"), "jetty.war");
        assertEquals(1, lines.size());
        assertTrue(lines.get(0).contains("WEB-INF/jetty-web.xml is a file for another server"), lines::toString);
    }
}

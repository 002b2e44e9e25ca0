package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What a descriptor for another server declares is not lost without a word. */
class ForeignDescriptorsTest {
    private static final Path LOG = Path.of(System.getProperty("org.slf4j.simpleLogger.logFile", "target/tests.log"));

    @TempDir
    Path folder;

    /** Returns the lines about foreign descriptors that the deployment of a WAR with these files logs. */
    private List<String> linesOf(Packing content, String name) throws Exception {
        LoggerFactory.getLogger(ForeignDescriptorsTest.class);
        Path war = content.with("WEB-INF/web.xml", "").archive(folder.resolve(name));
        int before = Files.readAllBytes(LOG).length;
        try (Penstock server =
                Penstock.builder().host("127.0.0.1").port(0).war("/shop", war).start()) {
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
                "attribute crossContext: the key cross-context",
                "attribute secretOption: nothing does the same here",
                "<Resource name='jdbc/orders'>: the file of the key data-sources, with jdbc/orders.url = ...",
                "<Environment name='limit'>: the key /shop:env.limit",
                "<Parameter name='mode'>: the key /shop:context-param.mode",
                "<Valve className='org.apache.catalina.valves.RemoteIpValve'>: the key trusted-proxies",
                "<CookieProcessor>: the key /shop:session-cookie-same-site, for the session cookie",
                "<Resources>: the key /shop:libraries, for a folder of libraries at /WEB-INF/lib",
                "<Unheard>: nothing does the same here")) {
            assertTrue(line.contains(part), part + " is missing in " + line);
        }
        assertFalse(line.contains("hunter2") || line.contains("reloadable") || line.contains("Watched"), line);
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

package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.context.DispatcherFactory;
import io.penstock.deploy.application.EntriesServlet;
import io.penstock.limits.ConfigurationException;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.Origin;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator gives an application environment entries without changing its WAR file. */
class EnvironmentKeysTest {
    private static final String[] ALL = {
        "/shop:env.word", "key", "/shop:env.limit", "42", "/shop:env.state", "WAITING", "/shop:env.plain", "7"
    };

    @TempDir
    Path folder;

    private static Deployer deployer(String... settings) {
        ConfigurationSources sources = new ConfigurationSources();
        for (int i = 0; i < settings.length; i += 2) {
            sources.flag(settings[i], settings[i + 1], new Origin.Flag("--" + settings[i]));
        }
        return new Deployer(DeploymentServices.of(DispatcherFactory.NONE, sources.resolve()::application));
    }

    private static String[] with(String... more) {
        String[] settings = Arrays.copyOf(ALL, ALL.length + more.length);
        System.arraycopy(more, 0, settings, ALL.length, more.length);
        return settings;
    }

    private Path war(String entries) throws Exception {
        return Packing.empty()
                .with("WEB-INF/web.xml", "<web-app version='6.1'>\n" + entries + "\n</web-app>")
                .withClasses("WEB-INF/classes/", EntriesServlet.class)
                .archive(folder.resolve("shop.war"));
    }

    private static String entry(String name, String type, String value) {
        return "<env-entry><env-entry-name>" + name + "</env-entry-name><env-entry-type>" + type + "</env-entry-type>"
                + value + "</env-entry>\n";
    }

    private Object injected(String entries, String... settings) throws Exception {
        WebApplication application = deployer(settings).deploy("/shop", war(entries));
        application.start();
        try {
            return application.context().getAttribute("entries");
        } finally {
            application.stop();
        }
    }

    private String failure(String entries, String... settings) {
        String message = assertThrows(
                        DeploymentException.class, () -> deployer(settings).deploy("/shop", war(entries)))
                .getMessage();
        return message.substring((folder.resolve("shop.war") + ": ").length());
    }

    @Test
    void anEntryWithoutATypeIsConvertedToTheTypeOfTheAnnotatedField() throws Exception {
        assertEquals("key 42 WAITING String", injected("", ALL));
    }

    @Test
    void anEntryReplacesTheValueOfTheDescriptorAndKeepsItsType() throws Exception {
        assertEquals(
                "key 42 WAITING Integer",
                injected(
                        entry("word", "java.lang.String", "<env-entry-value>own</env-entry-value>")
                                + entry("java:comp/env/limit", "java.lang.Integer", "")
                                + entry("plain", "java.lang.Integer", "<lookup-name>java:comp/env/x</lookup-name>"),
                        ALL));
    }

    @Test
    void theTypeOfTheOperatorReplacesThatOfTheDescriptor() throws Exception {
        String type = "/shop:env-type.plain";
        assertEquals("key 42 WAITING Long", injected("", with(type, "java.lang.Long")));
        assertEquals(
                "key 42 WAITING Short",
                injected(entry("plain", "java.lang.Integer", ""), with(type, "java.lang.Short")));
    }

    @Test
    void theEntriesOfAnotherApplicationHaveNoEffect() throws Exception {
        String state = "<env-entry-value>NEW</env-entry-value>";
        String plain = "<env-entry-value>x</env-entry-value>";
        assertEquals(
                "nothing -1 NEW String",
                injected(
                        entry("state", "java.lang.Thread$State", state) + entry("plain", "java.lang.String", plain),
                        "/other:env.word",
                        "key"));
    }

    @Test
    void aValueThatIsNotOfItsTypeIsAnErrorOfTheDeployment() {
        assertEquals(
                "--/shop:env.limit: env.limit: <env-entry-value> is not a java.lang.Integer: 'many'",
                failure(entry("limit", "java.lang.Integer", ""), "/shop:env.limit", "many"));
        String message = failure("", with("/shop:env.limit", "many"));
        assertTrue(
                message.endsWith("EntriesServlet.limit: the entry 'limit' is not a java.lang.Integer: 'many'"),
                message);
    }

    @Test
    void aTypeWithoutAValueIsAnErrorOfTheConfiguration() {
        assertEquals(
                "/shop:env-type.limit needs /shop:env.limit (from --/shop:env-type.limit)",
                assertThrows(ConfigurationException.class, () -> deployer("/shop:env-type.limit", "java.lang.Integer"))
                        .getMessage());
    }

    @Test
    void theEffectiveDescriptorShowsTheEntryWithItsOrigin() throws Exception {
        String text = deployer("/shop:env.limit", "42")
                .effectiveDescriptor("/shop", war(entry("limit", "java.lang.Integer", "")));
        assertTrue(text.contains("<env-entry-value>42</env-entry-value>"), text);
        assertTrue(text.contains("/shop:env.limit: env.limit -->"), text);
    }
}

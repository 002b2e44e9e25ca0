package io.penstock.naming;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.Charset;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Tests that the server does not replace a JNDI builder ({@code InitialContextFactoryBuilder}). A JVM can set its JNDI builder only once,
 * so the test starts a new JVM.
 */
class ForeignBuilderTest {
    @Test
    void anExistingJndiBuilderIsNotReplaced() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ForeignBuilder.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
        assertEquals(0, process.waitFor(), said);
        assertEquals("installed false, again false, foreign true", said.strip());
    }
}

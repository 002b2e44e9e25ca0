package io.penstock.loadtest.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class CommandLineUsedTest {

    @Test
    void theJavaCommandLineIsQuotedForTheShell() {
        assertEquals(
                "java -Xmx1g -jar loadtest.jar run http://localhost/ '--header=A: it'\\''s'",
                CommandLineUsed.of(
                        "loadtest",
                        List.of("run", "http://localhost/", "--header=A: it's"),
                        List.of("-Xmx1g", "-jar", "loadtest.jar", "run", "http://localhost/", "--header=A: it's")));
    }

    @Test
    void theJavaCommandLineIsOmittedIfItDoesNotEndWithTheProgramArguments() {
        assertEquals(
                "loadtest run 'http://localhost/?a=b&c'",
                CommandLineUsed.of(
                        "loadtest", List.of("run", "http://localhost/?a=b&c"), List.of("-jar", "surefire.jar")));
    }
}

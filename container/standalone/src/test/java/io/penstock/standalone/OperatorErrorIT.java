package io.penstock.standalone;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After an error of the operator, the jar prints one line to the error stream, and ends with a non-zero exit code. */
class OperatorErrorIT {

    @TempDir
    Path folder;

    @Test
    void aPortInUseIsReportedOnOneLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            int port = taken.getLocalPort();
            run("--host", "127.0.0.1", "--port", Integer.toString(port), folder.toString())
                    .assertError(1, "cannot listen on 127.0.0.1:" + port + ": Address already in use");
        }
    }

    @Test
    void anUnknownHostIsReportedOnOneLine() throws Exception {
        run("--host", "no-such-host.invalid", "--port", "0", folder.toString())
                .assertError(1, "cannot listen on no-such-host.invalid:0: unknown host");
    }

    @Test
    void aMissingWarIsReportedOnOneLine() throws Exception {
        run("missing.war").assertError(1, "no such file or folder: missing.war");
    }

    @Test
    void aWarFileThatIsNotAZipArchiveIsReportedOnOneLine() throws Exception {
        Path war = Files.writeString(folder.resolve("broken.war"), "This is no archive.");
        Ran ran = run("--port", "0", war.toString());
        ran.assertOneLineStartingWith(1, "penstock: " + war + ": is not a WAR");
    }

    @Test
    void aMalformedWebXmlIsReportedWithTheLineNumberOfTheError() throws Exception {
        Path webInf = Files.createDirectories(folder.resolve("WEB-INF"));
        Files.writeString(webInf.resolve("web.xml"), "<web-app version=\"6.1\">\n<servlet>\n</web-app>\n");
        Ran ran = run("--port", "0", folder.toString());
        ran.assertOneLineStartingWith(1, "penstock: " + folder + ": WEB-INF/web.xml:3");
    }

    @Test
    void anUnknownOptionIsReportedOnOneLine() throws Exception {
        run("--prot", "80", folder.toString())
                .assertUsageError("unknown option --prot; did you mean --port? (--help-all lists all)");
    }

    @Test
    void anUnknownKeyInTheConfigurationFileIsReportedWithItsLineNumber() throws Exception {
        Path file = Files.writeString(folder.resolve("p.properties"), "worker=4\n");
        run("--config", file.toString(), folder.toString())
                .assertUsageError("unknown key 'worker'; did you mean 'workers'? (from " + file + ":1)");
    }

    @Test
    void anInvalidEnvironmentVariableIsReportedOnOneLine() throws Exception {
        try (JarProcess jar = JarProcess.run(Map.of("PENSTOCK_WORKERS", "many"), folder.toString())) {
            jar.ended().assertUsageError("workers: 'many' is not a whole number (from PENSTOCK_WORKERS)");
        }
    }

    private static Ran run(String... args) throws IOException, InterruptedException, TimeoutException {
        try (JarProcess jar = JarProcess.run(args)) {
            return jar.ended();
        }
    }
}

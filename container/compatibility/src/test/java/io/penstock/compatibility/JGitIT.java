package io.penstock.compatibility;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests JGit's HTTP backend, with the git command as its client. JGit registers a shutdown hook of the JVM, and starts the thread {@code
 * JGit-WorkQueue}. The application cannot end this thread, so this test permits classes of the application to stay in memory.
 */
@NeedsProgram(Program.GIT)
class JGitIT {
    private static final int LARGE = 3_000_000;

    @TempDir
    Path folder;

    /** Counts the requests with chunked bodies, and the requests with compressed bodies. */
    @WebFilter("/git/*")
    public static class Codings implements Filter {
        static final AtomicInteger CHUNKED = new AtomicInteger();
        static final AtomicInteger GZIPPED = new AtomicInteger();

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            HttpServletRequest http = (HttpServletRequest) request;
            if ("chunked".equals(http.getHeader("Transfer-Encoding"))) {
                CHUNKED.incrementAndGet();
            }
            if ("gzip".equals(http.getHeader("Content-Encoding"))) {
                GZIPPED.incrementAndGet();
            }
            chain.doFilter(request, response);
        }
    }

    /** Responds with the codings (chunked, gzip) that the filter {@link Codings} has counted. */
    @WebServlet("/codings")
    public static class CodingsServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getOutputStream()
                    .print((Codings.CHUNKED.get() > 0 ? "chunked " : "") + (Codings.GZIPPED.get() > 0 ? "gzip" : ""));
        }
    }

    private Path war(Path repositories) throws IOException {
        return new War()
                .descriptor("""
                        <servlet><servlet-name>git</servlet-name>
                          <servlet-class>org.eclipse.jgit.http.server.GitServlet</servlet-class>
                          <init-param><param-name>base-path</param-name><param-value>%s</param-value></init-param>
                          <init-param><param-name>export-all</param-name><param-value>true</param-value></init-param>
                        </servlet>
                        <servlet-mapping><servlet-name>git</servlet-name>
                          <url-pattern>/git/*</url-pattern></servlet-mapping>
                        """.formatted(repositories))
                .classes(JGitIT.class)
                .libraries("org.eclipse.jgit", "JavaEWAH", "slf4j-api", "commons-codec")
                .write(folder.resolve("git.war"));
    }

    @Test
    void repositoriesAreClonedAndPushedAndFetched() throws Exception {
        Path repositories = Files.createDirectory(folder.resolve("repositories"));
        AtomicInteger runs = new AtomicInteger();
        Trial.of(folder, war(repositories))
                .allowing(Trial.Afterwards.CLASSES)
                .run(site -> cloneAndPush(site, repositories, runs.incrementAndGet()));
    }

    private void cloneAndPush(Site site, Path repositories, int number) throws Exception {
        String name = "shop" + number + ".git";
        git(repositories, "init", "-q", "--bare", "-b", "main", name);
        git(repositories.resolve(name), "config", "http.receivepack", "true");
        String url = site.uri("git/" + name).toString();
        Path work = Files.createDirectory(folder.resolve("work" + number));

        git(work, "clone", "-q", url, "one");
        Path one = work.resolve("one");
        byte[] large = new byte[LARGE];
        // Random bytes cannot be compressed. So the pushed data is larger than the buffer of git (1 MB), and git sends
        // chunks.
        new Random(number).nextBytes(large);
        Files.write(one.resolve("large.bin"), large);
        commit(one, "large");
        git(one, "push", "-q", "origin", "HEAD:main");

        git(work, "clone", "-q", url, "two");
        Path two = work.resolve("two");
        assertEquals(-1, java.util.Arrays.mismatch(large, Files.readAllBytes(two.resolve("large.bin"))));
        // With this many branches, the body of the fetch request is long enough for compression.
        for (int i = 0; i < 40; i++) {
            git(one, "checkout", "-q", "-b", "topic" + i);
            Files.writeString(one.resolve("small.txt"), "small " + i);
            commit(one, "topic " + i);
        }
        git(one, "push", "-q", "origin", "--all");
        git(two, "-c", "protocol.version=0", "fetch", "-q", "origin");
        assertEquals("small 39", git(two, "show", "origin/topic39:small.txt").strip());
        assertEquals("chunked gzip", site.get("codings").body());
    }

    private static void commit(Path repository, String message) throws Exception {
        git(repository, "add", ".");
        git(repository, "-c", "user.name=Anna", "-c", "user.email=anna@example.test", "commit", "-q", "-m", message);
    }

    private static String git(Path folder, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Program.GIT.path().toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        builder.environment().put("GIT_TERMINAL_PROMPT", "0");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), () -> command + ": " + output);
        return output;
    }
}

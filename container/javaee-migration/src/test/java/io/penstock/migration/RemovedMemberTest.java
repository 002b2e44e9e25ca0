package io.penstock.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import jakarta.servlet.Servlet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.Type;

/** Tests applications for {@code javax.servlet} that use what Servlet 6 has removed. The server converts them. */
class RemovedMemberTest {
    private static final String CLASSES = "WEB-INF/classes/";

    @TempDir
    Path folder;

    private record Answer(int status, String body) {}

    private static void pack(ZipOutputStream zip, String prefix, Class<?>... types) throws IOException {
        for (Class<?> type : types) {
            String name = type.getName().replace('.', '/') + ".class";
            zip.putNextEntry(new ZipEntry(prefix + name));
            try (InputStream in = type.getResourceAsStream("/" + name)) {
                in.transferTo(zip);
            }
            zip.closeEntry();
            pack(zip, prefix, type.getDeclaredClasses());
        }
    }

    private Path war(Class<?>... classes) throws IOException {
        Path war = folder.resolve("old.war");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
            pack(zip, CLASSES, classes);
        }
        return war;
    }

    private Penstock started(Path war) throws Exception {
        return Penstock.builder()
                .port(0)
                .host("127.0.0.1")
                .temporary(folder)
                .set("migrate-javax", "on")
                .set("migrated-dir", folder.resolve("migrated").toString())
                .war(war)
                .start();
    }

    private static Answer get(Penstock server, String path) throws Exception {
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.body());
    }

    private static void assertAnswersOfRemovedCalls(Penstock server) throws Exception {
        Answer answer = get(server, "/removed");
        assertEquals(299, answer.status(), answer::body);
        List<String> lines = answer.body()
                .replaceAll(";jsessionid=[^ ,\r\n]+", ";id")
                .lines()
                .toList();
        assertEquals(
                List.of(
                        "/a;id /b;id /c;id",
                        "/d;id, own /e",
                        "false",
                        "true",
                        "red [color]",
                        "null",
                        "null [][]",
                        "true"),
                lines);
        assertEquals(299, get(server, "/removed?wrapped").status());
        assertEquals(503, get(server, "/removed?away").status());
        assertEquals(503, get(server, "/removed").status(), "the servlet is away");
    }

    /** Runs code with {@code System.err} as the log. */
    private static String logOf(Code code) throws Exception {
        PrintStream error = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            code.run();
        } finally {
            System.setErr(error);
        }
        return log.toString(StandardCharsets.UTF_8);
    }

    @FunctionalInterface
    private interface Code {
        void run() throws Exception;
    }

    @Test
    void callsOfRemovedMethodsDoWhatTheyDidBefore() throws Exception {
        String log = logOf(() -> {
            try (Penstock server = started(war(RemovedCallsServlet.class))) {
                assertAnswersOfRemovedCalls(server);
            }
        });
        assertTrue(log.contains("/: said by the servlet"), log);
        // Lines of stack traces have the name of the archive, and not its path.
        assertTrue(log.contains("\tat old.war//" + RemovedCallsServlet.class.getName() + ".doGet("), log);
        try (Penstock server = started(war(RemovedCallsServlet.class))) {
            assertEquals(404, get(server, "/removed?closed").status());
        }
    }

    /** Returns a jar whose classes inherit removed methods from each other. */
    private static byte[] library(Class<?>... classes) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            pack(zip, "", classes);
        }
        return bytes.toByteArray();
    }

    @Test
    void callsAreReplacedInLibrariesAndTheirOtherFilesStay() throws Exception {
        byte[] library = library(RemovedCallsServlet.class);
        Path war = folder.resolve("old.war");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
            ZipEntry stored = new ZipEntry("WEB-INF/lib/old.jar");
            stored.setMethod(ZipEntry.STORED);
            stored.setSize(library.length);
            CRC32 sum = new CRC32();
            sum.update(library);
            stored.setCrc(sum.getValue());
            zip.putNextEntry(stored);
            zip.write(library);
            zip.putNextEntry(new ZipEntry("hello.txt"));
            zip.write("hello".getBytes(StandardCharsets.US_ASCII));
        }
        try (Penstock server = started(war)) {
            assertEquals("hello", get(server, "/hello.txt").body());
            assertAnswersOfRemovedCalls(server);
        }
    }

    @Test
    void aServletForOneThreadServesOneRequestAfterTheOther() throws Exception {
        try (Penstock server = started(war(OneThreadServlet.class))) {
            assertEquals(new Answer(200, "true"), get(server, "/inherited"));
            assertEquals(new Answer(200, "true"), get(server, "/own"));
        }
    }

    @Test
    void oneWarningNamesWhatHasNoReplacement() throws Exception {
        Path war = war(LostCallsServlet.class);
        String text = logOf(() -> {
            try (Penstock server = started(war)) {
                assertEquals("served", get(server, "/lost").body());
                assertEquals(500, get(server, "/lost?ask=query").status());
            }
        });
        List<String> warnings = text.lines()
                .filter(line -> line.contains("Servlet 6 has removed"))
                .toList();
        assertEquals(1, warnings.size(), text);
        String place = " (in " + LostCallsServlet.class.getName() + ")";
        assertTrue(
                warnings.get(0)
                        .endsWith(war + ": uses what Servlet 6 has removed, and there is no replacement, so these calls"
                                + " will fail: HttpSession.getSessionContext" + place + ", HttpUtils" + place
                                + ", SingleThreadModel" + place + ", UnavailableException.getServlet" + place),
                text);
        // The conversion takes long, so its beginning is logged, too.
        Matcher times = Pattern.compile("old\\.war: (is being converted|converted) from javax\\.servlet")
                .matcher(text);
        List<String> found = new ArrayList<>();
        while (times.find()) {
            found.add(times.group(1));
        }
        assertEquals(List.of("is being converted", "converted"), found, text);
    }

    // ---- all members of both APIs

    private static String descriptor(Executable member) {
        String former = member instanceof Method method
                ? Type.getMethodDescriptor(method)
                : Type.getConstructorDescriptor((Constructor<?>) member);
        return former.replace("javax/servlet", "jakarta/servlet");
    }

    private static String name(Executable member) {
        return member instanceof Method ? member.getName() : "<init>";
    }

    private static Stream<? extends Executable> members(Class<?> type) {
        return Stream.concat(Stream.of(type.getDeclaredMethods()), Stream.of(type.getDeclaredConstructors()))
                .filter(member -> (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0);
    }

    private static boolean isIn(Class<?> type, Executable wanted) {
        return type != null
                && (members(type)
                                .anyMatch(member -> name(member).equals(name(wanted))
                                        && descriptor(member).equals(descriptor(wanted)))
                        || isIn(type.getSuperclass(), wanted)
                        || Stream.of(type.getInterfaces()).anyMatch(parent -> isIn(parent, wanted)));
    }

    @Test
    void eachMemberOfTheFormerApiExistsOrIsKnownAsRemoved() throws Exception {
        Path former = Path.of(javax.servlet.Servlet.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<String> unknown = new ArrayList<>();
        int removed = 0;
        try (JarFile jar = new JarFile(former.toFile())) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (!entry.getName().matches("javax/servlet/.*\\.class")) {
                    continue;
                }
                String name = entry.getName().replace(".class", "");
                String successor = name.replace("javax/servlet", "jakarta/servlet");
                Class<?> type = Class.forName(name.replace('/', '.'));
                if (RemovedMember.TYPES.contains(successor)) {
                    continue;
                }
                Class<?> now = Class.forName(successor.replace('/', '.'), false, Servlet.class.getClassLoader());
                for (Executable member : members(type).toList()) {
                    RemovedMember known = RemovedMember.of(name(member), descriptor(member));
                    if (isIn(now, member)) {
                        assertTrue(known == null || !known.owners().contains(successor), member::toString);
                    } else if (known == null || !known.owners().contains(successor)) {
                        unknown.add(member.toString());
                    } else {
                        removed++;
                    }
                }
            }
        }
        assertEquals(List.of(), unknown);
        assertEquals(22, removed);
    }
}

package io.penstock.files;

import io.penstock.context.MimeTypes;
import io.penstock.context.Resources;
import io.penstock.context.WelcomeFiles;
import io.penstock.limits.ApplicationSettings.FileRules;
import io.penstock.limits.Compression;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/** A default servlet that serves a folder in the context {@code /app}. */
final class FileServing implements AutoCloseable {
    /** The modification time of all files for which the test gives no other time. */
    static final Instant MODIFIED = Instant.parse("1994-11-06T08:49:37Z");

    /** The paths to which the application has mapped servlets. */
    final List<String> mapped = new ArrayList<>();

    private final Path root;
    final SmallFiles smallFiles = new SmallFiles(1 << 20);
    private Resources resources;
    private Compression compression = Compression.OFF;
    private FileRules rules = FileRules.DEFAULTS;
    private Instant now = MODIFIED.plusSeconds(3600);

    FileServing(Path root) {
        this.root = root;
    }

    FileServing file(String path, String content) throws IOException {
        return file(path, content.getBytes(StandardCharsets.UTF_8));
    }

    FileServing file(String path, byte[] content) throws IOException {
        return file(path, content, MODIFIED);
    }

    FileServing file(String path, byte[] content, Instant modified) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
        Files.setLastModifiedTime(file, FileTime.from(modified));
        return this;
    }

    FileServing rules(FileRules given) {
        rules = given;
        return this;
    }

    FileServing compression(Compression rules) {
        compression = rules;
        return this;
    }

    FileServing now(Instant instant) {
        now = instant;
        return this;
    }

    FakeResponse answer(FakeRequest request) throws ServletException, IOException {
        FakeResponse response = new FakeResponse();
        answer(request, response);
        return response;
    }

    void answer(FakeRequest request, HttpServletResponse response) throws ServletException, IOException {
        if (resources == null) {
            resources = Resources.of(root);
        }
        DefaultServlet servlet = new DefaultServlet(
                resources,
                new WelcomeFiles(List.of("index.html", "start")),
                mapped::contains,
                smallFiles,
                null,
                compression,
                rules,
                MimeTypes.defaults(),
                InstantSource.fixed(now));
        servlet.init(new Config());
        servlet.service(request, (ServletResponse) response);
    }

    @Override
    public void close() throws IOException {
        if (resources != null) {
            resources.close();
        }
    }

    private final class Config implements ServletConfig {
        @Override
        public String getServletName() {
            return "default";
        }

        @Override
        public ServletContext getServletContext() {
            return answering(ServletContext.class, (name, args) -> switch (name) {
                case "getMimeType" -> mimeType((String) args[0]);
                default -> throw new UnsupportedOperationException(name);
            });
        }

        @Override
        public String getInitParameter(String name) {
            return null;
        }

        @Override
        public Enumeration<String> getInitParameterNames() {
            return Collections.emptyEnumeration();
        }
    }

    private static String mimeType(String path) {
        return switch (path.substring(path.lastIndexOf('.') + 1)) {
            case "html" -> "text/html";
            case "txt" -> "text/plain";
            case "js" -> "text/javascript";
            case "png" -> "image/png";
            default -> null;
        };
    }

    /** Computes the result of a method call from the name of the method and the arguments. */
    private interface Answer {
        Object to(String method, Object[] arguments);
    }

    private static <T> T answering(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, args) -> answer.to(method.getName(), args)));
    }
}

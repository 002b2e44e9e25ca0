package io.penstock.jsp;

import io.penstock.Penstock;
import io.penstock.StartException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A web application for a test. The test adds files. Then {@link #serve} writes the files into a folder, and starts a server. */
final class Site {
    private final Map<String, byte[]> files = new LinkedHashMap<>();

    Site with(String name, byte[] content) {
        files.put(name, content);
        return this;
    }

    Site with(String name, String content) {
        return with(name, content.getBytes(StandardCharsets.UTF_8));
    }

    Site with(String name, String content, Charset charset) {
        return with(name, content.getBytes(charset));
    }

    /** Adds a {@code web.xml} with this content in its root element. */
    Site described(String content) {
        return with("WEB-INF/web.xml", "<web-app version='6.1'>\n" + content + "\n</web-app>");
    }

    Site withClasses(Class<?>... types) {
        for (Class<?> type : types) {
            String name = type.getName().replace('.', '/') + ".class";
            with("WEB-INF/classes/" + name, bytes(type, "/" + name));
        }
        return this;
    }

    /** Adds a library whose members are given as pairs of name and text. */
    Site withLibrary(String name, String... members) {
        ByteArrayOutputStream jar = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(jar)) {
            for (int i = 0; i < members.length; i += 2) {
                zip.putNextEntry(new ZipEntry(members[i]));
                zip.write(members[i + 1].getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return with("WEB-INF/lib/" + name, jar.toByteArray());
    }

    private static byte[] bytes(Class<?> type, String resource) {
        try (InputStream in = type.getResourceAsStream(resource)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path in(Path folder) throws IOException {
        Files.createDirectories(folder.resolve("WEB-INF"));
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path place = folder.resolve(file.getKey());
            Files.createDirectories(place.getParent());
            Files.write(place, file.getValue());
        }
        return folder;
    }

    /**
     * Serves the application at {@code /site}.
     *
     * @param settings pairs of a key and its value
     */
    Server serve(Path folder, String... settings) throws IOException, StartException {
        Path application = in(folder.resolve("site"));
        Path temporary = Files.createDirectories(folder.resolve("temporary"));
        Penstock.Builder server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .temporary(temporary)
                .war("/site", application);
        for (int i = 0; i < settings.length; i += 2) {
            server.set(settings[i], settings[i + 1]);
        }
        return new Server(server.start(), application, temporary);
    }

    /** A running server with the folder of its application. */
    record Server(Penstock penstock, Path application, Path temporary) implements AutoCloseable {

        HttpResponse<String> get(String path) throws IOException, InterruptedException {
            URI uri = URI.create("http://127.0.0.1:" + penstock.port() + "/site" + path);
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        }

        /** Requests a path, and returns the response body. Consecutive white space is replaced by one space. */
        String text(String path) throws IOException, InterruptedException {
            return get(path).body().replaceAll("\\s+", " ").strip();
        }

        @Override
        public void close() {
            penstock.close();
        }
    }
}

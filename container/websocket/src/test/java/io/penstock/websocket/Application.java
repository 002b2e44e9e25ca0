package io.penstock.websocket;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Creates web applications from classes of a test. */
final class Application {
    private Application() {}

    /** Creates the application in a new folder inside {@code folder}, and returns the new folder. */
    static Path of(Path folder, Class<?>... types) throws IOException {
        Path root = Files.createTempDirectory(folder, "application");
        for (Class<?> type : types) {
            String name = type.getName().replace('.', '/') + ".class";
            Path file = root.resolve("WEB-INF/classes/" + name);
            Files.createDirectories(file.getParent());
            try (InputStream in = type.getResourceAsStream("/" + name)) {
                Files.copy(in, file);
            }
        }
        return root;
    }
}

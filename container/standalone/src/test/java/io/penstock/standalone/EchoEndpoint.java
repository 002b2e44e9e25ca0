package io.penstock.standalone;

import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Sends each message back. */
@ServerEndpoint("/echo")
public class EchoEndpoint {

    /** Writes a web application that contains only this endpoint. Creates the folder if it does not exist, and returns the folder. */
    static Path application(Path folder) throws IOException {
        String file = EchoEndpoint.class.getName().replace('.', '/') + ".class";
        Path target = folder.resolve("WEB-INF/classes").resolve(file);
        Files.createDirectories(target.getParent());
        try (InputStream in = EchoEndpoint.class.getClassLoader().getResourceAsStream(file)) {
            Files.copy(in, target);
        }
        return folder;
    }

    @OnMessage
    public String echo(String text) {
        return text;
    }
}

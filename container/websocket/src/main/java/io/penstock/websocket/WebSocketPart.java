package io.penstock.websocket;

import io.penstock.part.ContainerPart;
import jakarta.servlet.ServletContainerInitializer;
import java.util.List;

/**
 * Adds the Jakarta WebSocket API to web applications. Each application with endpoints gets a WebSocket engine at its start. Thread: any.
 */
public final class WebSocketPart implements ContainerPart {

    @Override
    public List<ServletContainerInitializer> initializers() {
        return List.of(new EndpointInitializer());
    }
}

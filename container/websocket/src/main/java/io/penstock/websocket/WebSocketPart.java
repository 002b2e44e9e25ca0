package io.penstock.websocket;

import io.penstock.part.ContainerPart;
import jakarta.servlet.ServletContainerInitializer;
import java.util.List;

/**
 * Adds the Jakarta WebSocket API to web applications. Nothing of it starts in an application without endpoints. Thread: any.
 */
public final class WebSocketPart implements ContainerPart {

    @Override
    public List<ServletContainerInitializer> initializers() {
        return List.of(new EndpointInitializer());
    }
}

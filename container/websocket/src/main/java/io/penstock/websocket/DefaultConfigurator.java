package io.penstock.websocket;

import jakarta.websocket.Extension;
import jakarta.websocket.server.ServerEndpointConfig;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The algorithms of endpoints that have no configurator of their own (WebSocket 2.2 section 3.1). All origins are accepted. The API finds
 * this class as a service. Thread: any.
 */
public final class DefaultConfigurator extends ServerEndpointConfig.Configurator {

    @Override
    public ServerEndpointConfig.Configurator getContainerDefaultConfigurator() {
        return this;
    }

    @Override
    public String getNegotiatedSubprotocol(List<String> supported, List<String> requested) {
        return requested.stream().filter(supported::contains).findFirst().orElse("");
    }

    @Override
    public List<Extension> getNegotiatedExtensions(List<Extension> installed, List<Extension> requested) {
        Set<String> names = installed.stream().map(Extension::getName).collect(Collectors.toSet());
        return requested.stream()
                .filter(extension -> names.contains(extension.getName()))
                .toList();
    }

    @Override
    public boolean checkOrigin(String originHeaderValue) {
        return true;
    }

    @Override
    public <T> T getEndpointInstance(Class<T> endpointClass) throws InstantiationException {
        return instance(endpointClass);
    }

    /** @throws InstantiationException if there is no constructor without parameters, or if it fails; the cause is the constructor's */
    static <T> T instance(Class<T> type) throws InstantiationException {
        try {
            return type.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            Throwable cause = e instanceof InvocationTargetException thrown ? thrown.getCause() : e;
            throw (InstantiationException)
                    new InstantiationException("Cannot create " + type.getName() + ": " + cause).initCause(cause);
        }
    }
}

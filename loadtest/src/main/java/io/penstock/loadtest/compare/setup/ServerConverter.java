package io.penstock.loadtest.compare.setup;

import io.penstock.loadtest.peers.Server;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the name of a server on the command line. */
final class ServerConverter implements ITypeConverter<Server> {
    @Override
    public Server convert(String name) {
        return Server.named(name)
                .orElseThrow(() -> new TypeConversionException(
                        "no such server: '" + name + "'; use " + String.join(", ", Server.ids())));
    }
}

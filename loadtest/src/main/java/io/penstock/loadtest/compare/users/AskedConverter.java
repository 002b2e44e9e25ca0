package io.penstock.loadtest.compare.users;

import java.util.Arrays;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the name of a content on the command line. */
final class AskedConverter implements ITypeConverter<Asked> {
    @Override
    public Asked convert(String name) {
        return Arrays.stream(Asked.values())
                .filter(asked -> asked.id().equals(name))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("no such content: '" + name + "'; use text or servlet"));
    }
}

package io.penstock.loadtest.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of bytes, such as {@code 2300047434}. Binary units are possible: {@code 16k}, {@code 10m}, {@code 2g}. */
public final class SizeConverter implements ITypeConverter<Long> {
    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("([0-9]{1,12})([kmg]?)");

    @Override
    public Long convert(String text) {
        Matcher matcher = NUMBER_AND_UNIT.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text
                    + "' is not a size: write a whole number of bytes, or a number with a unit, such as 16k,"
                    + " 10m or 2g");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "k" -> number << 10;
            case "m" -> number << 20;
            case "g" -> number << 30;
            default -> number;
        };
    }
}

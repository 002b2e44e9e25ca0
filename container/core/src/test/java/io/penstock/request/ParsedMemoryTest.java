package io.penstock.request;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.LiveObjects;
import io.penstock.http.Cookies;
import io.penstock.http.FieldList;
import io.penstock.http.FormParser;
import io.penstock.http.MediaType;
import io.penstock.http.MultipartLimits;
import io.penstock.http.ParsedBytes;
import io.penstock.http.RequestCookie;
import io.penstock.limits.ParameterLimits;
import io.penstock.limits.ServerConfig;
import io.penstock.memory.ByteAccount;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.http.Cookie;
import java.io.ByteArrayInputStream;
import java.lang.ref.Reference;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares the bytes that are reserved for parsed values with the memory of their objects in the heap, by the class histogram of the JVM. A
 * client chooses the values with the most objects for a byte, so the reserved bytes must never be fewer.
 */
@Tag("alone")
final class ParsedMemoryTest {
    private static final int REQUESTS = 40;

    /** What other threads of the JVM, such as its compilers, may keep meanwhile: one run had 2,384 bytes. */
    private static final int OF_OTHERS = 4096;

    private static final int MAX_TOO_MUCH = 3;
    private static final ParameterLimits LIMITS = ServerConfig.defaults().parameters();

    @TempDir
    Path folder;

    private enum Shape {
        TINY_PARAMETERS {
            @Override
            Object parse(ParsedBytes memory, Path folder) throws Exception {
                return form(pairs(1000, i -> "" + (char) ('a' + i / 100) + i % 100), memory);
            }
        },
        ONE_NAME_WITH_MANY_VALUES {
            @Override
            Object parse(ParsedBytes memory, Path folder) throws Exception {
                return form(pairs(1000, i -> "a"), memory);
            }
        },
        NAMES_WITH_EQUAL_HASHES {
            @Override
            Object parse(ParsedBytes memory, Path folder) throws Exception {
                return form(
                        pairs(1000, i -> IntStream.range(0, 10)
                                .mapToObj(bit -> (i >> bit & 1) == 0 ? "Aa" : "BB")
                                .collect(Collectors.joining())),
                        memory);
            }
        },
        ONE_LARGE_VALUE {
            @Override
            Object parse(ParsedBytes memory, Path folder) throws Exception {
                return form("a=" + "x".repeat(1_000_000), memory);
            }
        },
        ESCAPED_ASCII {
            @Override
            Object parse(ParsedBytes memory, Path folder) throws Exception {
                return form("a=" + "%2B".repeat(300_000), memory);
            }
        },
        LATIN {
            @Override
            Object parse(ParsedBytes memory, Path folder) throws Exception {
                return form("a=" + URLEncoder.encode("\u00fc".repeat(100_000), UTF_8), memory);
            }
        },
        CHINESE {
            @Override
            Object parse(ParsedBytes memory, Path folder) throws Exception {
                return form("a=" + URLEncoder.encode("\u4e2d".repeat(100_000), UTF_8), memory);
            }
        },
        ASCII_WITH_ONE_CHINESE_CHARACTER {
            @Override
            Object parse(ParsedBytes memory, Path folder) throws Exception {
                return form("a=%E4%B8%AD" + "x".repeat(500_000), memory);
            }
        },
        TINY_PARTS_ON_DISK {
            @Override
            Object parse(ParsedBytes memory, Path folder) throws Exception {
                return parts(part("a", "x").repeat(100), 0, memory, folder);
            }
        },
        TINY_PARTS_IN_MEMORY {
            @Override
            Object parse(ParsedBytes memory, Path folder) throws Exception {
                return parts(part("a", "x").repeat(1000), 100, memory, folder);
            }
        },
        PARTS_WITH_MANY_HEADER_LINES {
            @Override
            Object parse(ParsedBytes memory, Path folder) throws Exception {
                return parts(
                        part("a\"\r\n" + "a:b\r\n".repeat(1500) + "c: \"", "").repeat(50), 0, memory, folder);
            }
        },
        LARGE_PART_IN_MEMORY {
            @Override
            Object parse(ParsedBytes memory, Path folder) throws Exception {
                return parts(part("a", "x".repeat(1_000_000)), 2_000_000, memory, folder);
            }
        },
        COOKIES {
            @Override
            Object parse(ParsedBytes memory, Path folder) throws Exception {
                String cookies = pairs(200, i -> "a=" + i).replace('&', ';');
                List<RequestCookie> parsed =
                        Cookies.of(new FieldList().add("Cookie", cookies), LIMITS.cookies(), memory);
                Cookie[] ofServlet = parsed.stream()
                        .map(cookie -> new Cookie(cookie.name(), cookie.value()))
                        .toArray(Cookie[]::new);
                return List.of(parsed, ofServlet);
            }
        };

        /** Parses what one request has sent. Returns what a request that is held keeps. */
        abstract Object parse(ParsedBytes memory, Path folder) throws Exception;

        private interface Text {
            String of(int number);
        }

        private static String pairs(int count, Text text) {
            return IntStream.range(0, count).mapToObj(text::of).collect(Collectors.joining("&"));
        }

        private static Object form(String body, ParsedBytes memory) throws Exception {
            FormParser parser = new FormParser(LIMITS, memory);
            parser.parse(new ByteArrayInputStream(body.getBytes(ISO_8859_1)), UTF_8);
            Parameters parameters = new Parameters(parser.parameters());
            return List.of(parameters, parameters.asMap());
        }

        private static String part(String name, String content) {
            return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + content + "\r\n";
        }

        private static Object parts(String body, int threshold, ParsedBytes memory, Path folder) throws Exception {
            Parts parts = new Parts(memory);
            parts.read(
                    new ByteArrayInputStream((body + "--b--").getBytes(ISO_8859_1)),
                    null,
                    new ByteAccount(Long.MAX_VALUE),
                    new MediaType("multipart", "form-data", Map.of("boundary", "b")),
                    new MultipartConfigElement("", -1, -1, threshold),
                    new MultipartLimits(LIMITS, Long.MAX_VALUE),
                    folder);
            return List.of(parts, parts.all());
        }
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void theReservedBytesAreAtLeastTheMemoryOfTheValues(Shape shape) throws Exception {
        shape.parse(new ParsedBytes(new ByteAccount(Long.MAX_VALUE)), folder); // loads classes
        ByteAccount account = new ByteAccount(Long.MAX_VALUE);
        List<Object> held = new ArrayList<>(2 * REQUESTS);
        long before = LiveObjects.bytes();
        for (int i = 0; i < REQUESTS; i++) {
            ParsedBytes memory = new ParsedBytes(account);
            held.add(memory);
            held.add(shape.parse(memory, folder));
        }
        long grown = LiveObjects.bytes() - before;
        assertTrue(grown > 0);
        assertTrue(account.used() + OF_OTHERS >= grown, () -> account.used() + " bytes were reserved for " + grown);
        assertTrue(
                account.used() <= MAX_TOO_MUCH * grown,
                () -> account.used() + " bytes were reserved, far more than " + grown);
        Reference.reachabilityFence(held);
        for (int i = 0; i < held.size(); i += 2) {
            ((ParsedBytes) held.get(i)).end();
        }
        assertEquals(0, account.used());
    }
}

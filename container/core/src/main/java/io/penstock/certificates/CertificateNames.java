package io.penstock.certificates;

import io.penstock.address.HostName;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The names in the extension "subject alternative name" of a certificate. Clients check only these names and ignore the common name (RFC
 * 9525).
 *
 * @param exact the host names without wildcards, in lower case
 * @param wildcards the wildcard names without the {@code *}, such as {@code .example.com}. The star stands for exactly one label
 * @param addresses the IP addresses in the format of {@link InetAddress#getHostAddress}
 */
public record CertificateNames(Set<String> exact, Set<String> wildcards, Set<String> addresses) {
    /** The result for a certificate without the extension "subject alternative name": no names. */
    static final CertificateNames NONE = new CertificateNames(Set.of(), Set.of(), Set.of());

    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F]*:[0-9a-fA-F:.]*");

    public CertificateNames {
        exact = Set.copyOf(exact);
        wildcards = Set.copyOf(wildcards);
        addresses = Set.copyOf(addresses);
    }

    /** @throws CertificateParsingException if the extension is damaged */
    static CertificateNames of(X509Certificate certificate) throws CertificateParsingException {
        Collection<List<?>> all = certificate.getSubjectAlternativeNames();
        if (all == null) {
            return NONE;
        }
        Set<String> exact = new TreeSet<>();
        Set<String> wildcards = new TreeSet<>();
        Set<String> addresses = new TreeSet<>();
        for (List<?> name : all) {
            String text = name.get(1) instanceof String given ? given : "";
            int type = (Integer) name.get(0);
            if (type == IP_ADDRESS) {
                String address = address(text);
                addresses.add(address == null ? text : address);
            } else if (type == DNS_NAME && text.startsWith("*.")) {
                wildcards.add(HostName.canonical(text.substring(1)));
            } else if (type == DNS_NAME) {
                exact.add(HostName.canonical(text));
            }
        }
        return new CertificateNames(exact, wildcards, addresses);
    }

    /**
     * Whether the certificate covers a host.
     *
     * @param host a host name or an IP address without a port. An IPv6 address can have brackets
     */
    public boolean covers(String host) {
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        String address = address(bare);
        if (address != null) {
            return addresses.contains(address);
        }
        String name = HostName.canonical(bare);
        return exact.contains(name) || wildcards.contains(parent(name));
    }

    /**
     * Removes the first label of a name: the result is {@code .example.com} for {@code www.example.com}. The result is empty if the name
     * has only one label.
     */
    static String parent(String name) {
        int dot = name.indexOf('.');
        return dot <= 0 ? "" : name.substring(dot);
    }

    /**
     * Converts an IP address to the format of {@link InetAddress#getHostAddress}. Returns null if the text is not an IP address. This
     * method makes no DNS query.
     */
    private static @Nullable String address(String text) {
        if (IPV4.matcher(text).matches()) {
            return text;
        }
        if (!IPV6.matcher(text).matches()) {
            return null;
        }
        try {
            return InetAddress.getByName("[" + text + "]").getHostAddress();
        } catch (UnknownHostException e) {
            return null; // the text is not an IP address
        }
    }

    /** Whether the certificate has no names. Clients do not accept a certificate without names for any host. */
    boolean isEmpty() {
        return exact.isEmpty() && wildcards.isEmpty() && addresses.isEmpty();
    }

    /** Returns the names as a text for messages: {@code example.com, *.example.com, 127.0.0.1}. */
    @Override
    public String toString() {
        if (isEmpty()) {
            return "no name";
        }
        return Stream.of(
                        exact.stream().sorted(),
                        wildcards.stream().map(name -> "*" + name).sorted(),
                        addresses.stream().sorted())
                .flatMap(names -> names)
                .collect(Collectors.joining(", "));
    }
}

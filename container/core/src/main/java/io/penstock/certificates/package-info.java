/**
 * The certificates and keys of the server. This package reads the files, chooses a certificate for each client, and replaces certificates
 * while the server runs.
 */
@NullMarked
package io.penstock.certificates;

import org.jspecify.annotations.NullMarked;

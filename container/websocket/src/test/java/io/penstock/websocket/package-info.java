/** Tests of endpoints, with clients of several kinds. */
package io.penstock.websocket;

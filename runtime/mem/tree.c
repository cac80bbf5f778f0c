/* A treap by splitting and joining. Insertion splits the subtree that it displaces. Removal joins
 * the two subtrees of the removed node. Both walk down once. */
#include "mem/tree.h"

#include <stdbool.h>
#include <stddef.h>

static bool key_below(const struct cdp_tree_node *node, uint64_t major, uint64_t minor)
{
    return node->major < major || (node->major == major && node->minor < minor);
}

static uint32_t next_priority(struct cdp_tree *tree)
{
    uint32_t x = tree->seed != 0 ? tree->seed : 2463534242u;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    tree->seed = x;
    return x;
}

void cdp_tree_insert(struct cdp_tree *tree, struct cdp_tree_node *node)
{
    node->priority = next_priority(tree);
    struct cdp_tree_node **link = &tree->root;
    while (*link != NULL && (*link)->priority >= node->priority) {
        link = key_below(*link, node->major, node->minor) ? &(*link)->right : &(*link)->left;
    }
    struct cdp_tree_node *rest = *link;
    *link = node;
    struct cdp_tree_node **left = &node->left, **right = &node->right;
    while (rest != NULL) {
        if (key_below(rest, node->major, node->minor)) {
            *left = rest;
            left = &rest->right;
            rest = rest->right;
        } else {
            *right = rest;
            right = &rest->left;
            rest = rest->left;
        }
    }
    *left = NULL;
    *right = NULL;
}

void cdp_tree_remove(struct cdp_tree *tree, struct cdp_tree_node *node)
{
    struct cdp_tree_node **link = &tree->root;
    while (*link != node) {
        link = key_below(*link, node->major, node->minor) ? &(*link)->right : &(*link)->left;
    }
    struct cdp_tree_node *left = node->left, *right = node->right;
    while (left != NULL && right != NULL) {
        if (left->priority >= right->priority) {
            *link = left;
            link = &left->right;
            left = left->right;
        } else {
            *link = right;
            link = &right->left;
            right = right->left;
        }
    }
    *link = left != NULL ? left : right;
}

struct cdp_tree_node *cdp_tree_floor(const struct cdp_tree *tree, uint64_t major, uint64_t minor)
{
    struct cdp_tree_node *best = NULL;
    for (struct cdp_tree_node *node = tree->root; node != NULL;) {
        if (key_below(node, major, minor) || (node->major == major && node->minor == minor)) {
            best = node;
            node = node->right;
        } else {
            node = node->left;
        }
    }
    return best;
}

struct cdp_tree_node *cdp_tree_ceiling(const struct cdp_tree *tree, uint64_t major, uint64_t minor)
{
    struct cdp_tree_node *best = NULL;
    for (struct cdp_tree_node *node = tree->root; node != NULL;) {
        if (key_below(node, major, minor)) {
            node = node->right;
        } else {
            best = node;
            node = node->left;
        }
    }
    return best;
}
